"""`trace verify` and `trace checkpoint`: for the project, for who kept a note, and on a disk that is full."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from traces.chain import segments_in

PLAN = {
    "metrics": ["order_count"],
    "dimensions": ["region"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"},
}


class Project:
    """A shop in its own folder, with a second place for checkpoints, and what its command line says."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.traces = folder / "var" / "traces"
        self.kept = folder / "kept"
        self.kept.mkdir()

    def __call__(self, *arguments: str, status: int = 0) -> str:
        self.capsys.readouterr()
        assert run(arguments) == status, self.capsys.readouterr()
        return self.capsys.readouterr().out

    def verify(self, *arguments: str, status: int = 0) -> dict[str, object]:
        found: dict[str, object] = json.loads(self("trace", "verify", "--json", *arguments, status=status))
        return found

    def ask(self, name: str) -> Path:
        """Ask the plan and keep the whole reply."""
        kept = self.kept / f"{name}.json"
        kept.write_text(self("ask", str(self.kept / "plan.json"), "--json"))
        return kept


@pytest.fixture
def project(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(shop)
    with (shop / "cellbound.toml").open("a") as settings:
        settings.write('\n[traces]\ncheckpoints = "elsewhere"\n')
    made = Project(shop, capsys)
    (made.kept / "plan.json").write_text(json.dumps(PLAN))
    return made


def test_a_question_leaves_a_checkpoint_in_both_places(project: Project) -> None:
    reply = project.ask("one")
    found = project.verify(str(reply))
    assert (found["ok"], found["records"], found["checkpoints"]) == (True, 3, 1)
    beside = {note.name: note.read_text() for note in project.traces.glob("*.checkpoint")}
    assert beside == {note.name: note.read_text() for note in (project.folder / "elsewhere").iterdir()}
    assert "1 checkpoints met" in project("trace", "verify", str(reply))


def test_receipts_are_taken_from_one_file_of_many_replies(project: Project) -> None:
    replies = [project.ask(name).read_text() for name in ("one", "two")]
    lines, array = project.kept / "lines.jsonl", project.kept / "list.json"
    lines.write_text("".join(replies))
    array.write_text(f"[{','.join(replies)}]")
    for file in (lines, array):
        assert project.verify("--receipts", str(file))["ok"]
    lines.write_text("".join(replies).replace('"hash":"', '"hash":"0', 1))
    assert project.verify("--receipts", str(lines), status=3)["damage"] == "rewritten"


def test_a_cut_tail_is_told_with_its_place_and_what_to_do(project: Project) -> None:
    project.ask("one")
    ((segment,),) = segments_in(project.traces).values()
    lines = segment.path.read_bytes().rstrip(b"\0").split(b"\n")[:-1]
    segment.path.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    found = project.verify(status=3)
    assert (found["ok"], found["damage"], found["seq"]) == (False, "cut_tail", 2)
    assert found["place"] == f"{segment.path.name}:3"
    assert found["next_step"]
    said = project("trace", "verify", status=3)
    assert "cut_tail" in said
    assert "damaged" in said


def test_a_note_that_somebody_kept_shows_what_was_rewritten_with_every_key(project: Project) -> None:
    project.ask("one")
    note = project.kept / "note"
    project("trace", "checkpoint", "--out", str(note))
    assert project.verify("--checkpoint", str(note))["ok"]
    for place in (project.traces, project.folder / "elsewhere"):
        shutil.rmtree(place)
    project.ask("another")
    assert project.verify()["ok"], "whoever has all keys and all places can write history anew"
    assert project.verify("--checkpoint", str(note), status=3)["damage"] == "missing"


def test_somebody_without_keys_or_project_checks_segments_and_receipts(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    reply, note = project.ask("one"), project.kept / "note"
    public_key = project("trace", "checkpoint", "--public-key").strip()
    project("trace", "checkpoint", "--out", str(note))
    outside = tmp_path_factory.mktemp("outside")
    shutil.copytree(project.traces, outside / "segments")
    monkeypatch.chdir(outside)
    known = ("--folder", "segments", "--checkpoint", str(note), "--verifier-key", public_key)
    found = project.verify(*known, "--receipts", str(reply))
    assert (found["ok"], found["records"], found["unvouched"]) == (True, 3, 0)
    ((segment,),) = segments_in(outside / "segments").values()
    segment.path.write_bytes(segment.path.read_bytes().replace(b"answered", b"abstaine", 1))
    assert project.verify(*known, status=3)["damage"] == "rewritten"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--folder", "var/traces"), "needs_verifier_key"),
        (("--verifier-key", "name+00+AA"), "needs_checkpoint"),
        (("--checkpoint", "kept/plan.json"), "checkpoint_malformed"),
        (("--checkpoint", "kept/none"), "bad_file"),
        (("--receipts", "kept/plan.json"), "bad_receipt"),
        (("--verifier-key", "name+00+AA", "--checkpoint", "kept/note"), "verifier_key_malformed"),
        (("--verifier-key", "k", "--checkpoint", "kept/note", "--folder", "none"), "no_folder"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_code(
    project: Project, arguments: tuple[str, ...], code: str
) -> None:
    project.ask("one")
    project("trace", "checkpoint", "--out", "kept/note")
    project.capsys.readouterr()
    assert run(("trace", "verify", "--json", *arguments)) in (1, 2)
    said = json.loads(project.capsys.readouterr().out)
    assert [issue["code"] for issue in said["issues"]] == [code]
    assert said["issues"][0]["next_step"]


def test_notes_are_printed_one_after_the_other_and_read_so(project: Project) -> None:
    project.ask("one")
    notes = project("trace", "checkpoint")
    twice = project.kept / "twice"
    twice.write_text(f"{notes}\n{notes}")
    assert project.verify("--checkpoint", str(twice))["ok"]
    assert json.loads(project("trace", "checkpoint", "--json"))["notes"]


def test_the_script_for_the_trace_database_is_printed_without_any_secret(project: Project) -> None:
    with (project.folder / "cellbound.toml").open("a") as settings:
        settings.write('store = "postgres://writer:opensesame@db.example/traces"\n')
    script = project("setup", "sql", "--traces")
    assert "CREATE TRIGGER" in script
    assert 'CREATE ROLE "writer" LOGIN' in script
    assert "opensesame" not in script


@pytest.fixture
def full_disk(project: Project) -> Iterator[Project]:
    """The project, after a question, with its traces on a disk on which nothing fits any more."""
    project.ask("one")
    var, aside = project.folder / "var", project.folder / "aside"
    var.rename(aside)
    var.mkdir()
    size = sum(file.stat().st_size for file in aside.rglob("*") if file.is_file()) + 3_000_000
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(var)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root with the right to mount")
    try:
        shutil.copytree(aside, var, dirs_exist_ok=True)
        for store in var.glob("*.sqlite*"):
            store.unlink()
        with (var / "fill").open("wb", buffering=0) as fill:
            while _took(fill.fileno()):
                pass
        yield project
    finally:
        subprocess.run(["umount", "-l", str(var)], check=True)


def _took(handle: int) -> bool:
    try:
        return os.write(handle, bytes(4096)) > 0
    except OSError:
        return False


@pytest.mark.faults
def test_on_a_full_disk_traces_are_still_listed_shown_and_verified(full_disk: Project) -> None:
    reply = json.loads((full_disk.kept / "one.json").read_text())
    assert full_disk.verify(str(full_disk.kept / "one.json"))["ok"]
    listed = json.loads(full_disk("trace", "list", "--json"))
    assert [trace["trace_id"] for trace in listed["traces"]] == [reply["trace_id"]]
    assert "answered" in full_disk("trace", "show", reply["trace_id"])
    full_disk("ask", str(full_disk.kept / "plan.json"), status=1)
