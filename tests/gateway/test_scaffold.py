"""`init` makes a whole project or none, with tokens that are kept nowhere."""

import json
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from gateway.demo import flights_data
from gateway.demo.flights_data import FlightsMissing
from gateway.engines.base import EngineError
from gateway.scaffold import project as room
from gateway.scaffold.profiles import LOOSER, Profile
from gateway.scaffold.project import Demo, ScaffoldRefused, scaffold, templates
from gateway.settings.file import load_settings
from metric_layer.source import read_model
from policies.policy import Policy

TEMPLATES: tuple[Demo | None, ...] = (None, "shop", "flights")


@pytest.fixture
def no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for the two generators, which have tests of their own."""

    def write(path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"data")

    monkeypatch.setattr(room, "write_shop", write)
    monkeypatch.setattr(room, "write_flights", write)


def policy_of(folder: Path) -> Policy:
    policy = read_model(folder / "policies" / "policy.yml", Policy)
    assert isinstance(policy, Policy), policy
    return policy


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("demo", TEMPLATES)
def test_a_new_project_has_readable_settings_a_policy_and_an_ignored_var(
    tmp_path: Path, demo: Demo | None
) -> None:
    made = scaffold(tmp_path / "mine", demo)
    settings = load_settings(made.folder)
    assert settings.at(settings.paths.policies).is_dir()
    assert policy_of(made.folder).release["governed"] == "autonomous"
    assert (made.folder / ".gitignore").read_text() == "var/\n"
    assert sorted(made.files) == sorted(
        str(file.relative_to(made.folder)) for file in made.folder.rglob("*") if file.is_file()
    )


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("demo", ["shop", "flights"])
def test_a_demo_finds_its_database_where_its_settings_point(tmp_path: Path, demo: Demo) -> None:
    made = scaffold(tmp_path / "mine", demo)
    assert made.database is not None
    assert made.database.is_file()
    assert load_settings(made.folder).engine.url == f"duckdb:{made.database.relative_to(made.folder)}"


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("demo", TEMPLATES)
def test_every_user_of_the_template_is_given_a_token_that_only_its_hash_keeps(
    tmp_path: Path, demo: Demo | None
) -> None:
    made = scaffold(tmp_path / "mine", demo)
    settings = load_settings(made.folder)
    hashes = {token.user: token.sha256 for token in settings.identity.tokens}
    assert hashes == {user: sha256(token.encode()).hexdigest() for user, token in made.tokens.items()}
    assert set(hashes) == set(settings.identity.users)
    assert not any(token in repr(made) for token in made.tokens.values())


@pytest.mark.usefixtures("no_data")
def test_two_projects_share_no_token(tmp_path: Path) -> None:
    one, two = scaffold(tmp_path / "one", "shop"), scaffold(tmp_path / "two", "shop")
    assert not set(one.tokens.values()) & set(two.tokens.values())


@pytest.mark.parametrize("name", ["empty", "shop", "flights"])
def test_no_token_opens_a_template_itself(name: str) -> None:
    settings = tomllib.loads((templates() / name / "cellbound.toml").read_text())
    assert {token["sha256"] for token in settings["identity"]["tokens"]} == {room.NO_TOKEN}


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("demo", TEMPLATES)
def test_the_profile_decides_the_stage_and_the_budget(tmp_path: Path, demo: Demo | None) -> None:
    profiles: tuple[Profile, ...] = ("analysts", "small", "full")
    policies = {name: policy_of(scaffold(tmp_path / name, demo, name).folder) for name in profiles}
    assert policies["full"].release == {"governed": "shadow", "free": "shadow"}
    assert {rule.to for rule in policies["full"].ladder.demote} == {"shadow"}
    assert any("release" in role.may for role in policies["full"].roles.values())
    assert policies["small"].release == {"governed": "autonomous"}
    assert policies["small"].budget.unknown == "hard_caps"
    assert policies["full"].budget == policies["analysts"].budget
    own = {check for check, rule in policies["analysts"].findings.items() if rule.own_allowed}
    reviews = [name for name, role in policies["analysts"].roles.items() if "review" in role.may]
    assert (bool(own), "analyst" in reviews) == ((True, True) if demo is None else (False, False))
    tight, loose = policies["analysts"].budget.rows, policies["small"].budget.rows
    assert tight is not None
    assert loose is not None
    assert (loose.warn, loose.hard) == (tight.warn * LOOSER, tight.hard * LOOSER)


@pytest.mark.usefixtures("no_data")
def test_an_empty_folder_that_is_there_is_filled_and_stays_the_same_folder(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    before = target.stat().st_ino
    made = scaffold(target, "shop")
    assert target.stat().st_ino == before
    assert (target / "cellbound.toml").is_file()
    assert sorted(part.name for part in target.iterdir()) == sorted(
        {Path(file).parts[0] for file in made.files}
    )


def test_a_folder_that_holds_anything_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ScaffoldRefused) as refused:
        scaffold(tmp_path, "shop")
    assert [issue.code for issue in refused.value.issues] == ["not_empty"]
    assert [part.name for part in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(ScaffoldRefused) as refused:
        scaffold(tmp_path / "mine", None)
    assert [issue.code for issue in refused.value.issues] == ["not_a_folder"]


def test_a_missing_parent_is_refused_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(ScaffoldRefused) as refused:
        scaffold(tmp_path / "no" / "mine", None)
    assert [issue.code for issue in refused.value.issues] == ["no_parent"]
    assert f"mkdir -p {tmp_path / 'no'}" in refused.value.issues[0].next_step
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_left_when_the_data_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    def fail(path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"half")
        raise EngineError("engine_not_written", "no room")

    monkeypatch.setattr(room, "write_shop", fail)
    target = tmp_path / "mine"
    if there:
        target.mkdir()
    with pytest.raises(EngineError):
        scaffold(target, "shop")
    assert list(tmp_path.rglob("*")) == ([target] if there else [])


@pytest.mark.usefixtures("no_data")
def test_a_move_that_fails_half_way_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def fail_at_settings(self: Path, target: Path) -> Path:
        if self.name == "cellbound.toml":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_at_settings)
    target = tmp_path / "mine"
    target.mkdir()
    with pytest.raises(ScaffoldRefused) as refused:
        scaffold(target, "shop")
    assert [issue.code for issue in refused.value.issues] == ["project_not_written"]
    assert "No space left on device" in refused.value.issues[0].message
    assert not list(target.iterdir())


def test_flights_without_the_extra_names_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flights_data, "find_spec", lambda name: None)
    with pytest.raises(FlightsMissing) as missing:
        scaffold(tmp_path / "mine", "flights")
    assert missing.value.issues[0].code == "extra_missing"
    assert "pip install 'cellbound[flights]'" in missing.value.issues[0].next_step
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("demo", TEMPLATES)
def test_an_editor_finds_the_schema_that_the_first_line_of_each_file_names(
    tmp_path: Path, demo: Demo | None
) -> None:
    metrics = scaffold(tmp_path / "mine", demo).folder / "metrics"
    files = sorted(metrics.glob("*.yml"))
    assert files
    for file in files:
        first = file.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema=")
        schema = json.loads((metrics / first.partition("=")[2]).read_text(encoding="utf-8"))
        assert schema["properties"]["metrics"]
