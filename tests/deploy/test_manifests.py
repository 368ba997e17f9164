"""What stands in deploy/ is lint-clean, asks for no rights, and names only what the product has."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from gateway import __version__
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.scaffold.project import templates
from gateway.settings.file import IdentitySettings, load_settings
from gateway.settings.server import ServerSettings
from gateway.stores.postgres_setup import state_setup
from traces.store.postgres_setup import traces_setup

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose" / "compose.yml").read_text(encoding="utf-8"))
SECRETS = {
    "CELLBOUND_TRACES__STORE": "postgresql://cellbound_traces@db:5432/cellbound_traces",
    "CELLBOUND_STATE__URL": "postgresql://cellbound_state@db:5432/cellbound_state",
}


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(KUBERNETES.glob("*.yml")):
        for document in yaml.safe_load_all(file.read_text(encoding="utf-8")):
            if document["kind"] != "Kustomization":
                yield f"{file.name}: {document['kind']} {document['metadata']['name']}", document


def deployment() -> dict[str, Any]:
    (found,) = [document for _, document in documents() if document["kind"] == "Deployment"]
    return found


def container() -> dict[str, Any]:
    (found,) = deployment()["spec"]["template"]["spec"]["containers"]
    return dict(found)


def routes() -> set[str]:
    app = build_http(None, Callers(IdentitySettings()), ServerSettings())  # type: ignore[arg-type]
    return {getattr(route, "path", "") for route in app.routes}


# The image


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    program = Path(sys.executable).with_name("hadolint")
    if not program.exists():
        pytest.skip("no hadolint beside this Python: it comes with the extra `test`")
    done = subprocess.run([program, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_runs_as_a_numbered_user_without_rights() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    users = re.findall(r"^USER (\S+)$", last, re.MULTILINE)
    assert users == ["10001:10001"], "a numbered user, so that a cluster can see that it is not root"
    after = last.partition("\nUSER ")[2]
    assert not re.search(r"^(RUN|COPY|ADD|USER)", after.partition("\n")[2], re.MULTILINE)
    assert 'ENTRYPOINT ["cellbound"]' in last and "STOPSIGNAL SIGTERM" in last


def test_images_are_named_by_version_and_by_no_host() -> None:
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    images += [service["image"] for service in COMPOSE["services"].values()]
    assert images
    assert not [image for image in images if "/" in image or ":" not in image or image.endswith(":latest")]


def test_what_the_image_is_built_from_is_there_and_reaches_the_build() -> None:
    copied = {
        name
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for name in line.split()
    }
    passed = set(
        re.findall(r"^!(\S+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8"), re.M)
    )
    assert copied == passed
    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], project["project"]["readme"]}
    assert needed | set(project["project"]["license-files"]) <= copied
    (extras,) = re.findall(r"^ARG EXTRAS=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert set(extras.split(",")) <= set(project["project"]["optional-dependencies"])


def test_the_image_asks_a_route_whether_it_lives() -> None:
    (path,) = re.findall(r"http://127\.0\.0\.1:8321(/\S+?)'", DOCKERFILE)
    assert path in routes() and "EXPOSE 8321" in DOCKERFILE
    assert ServerSettings().port == 8321


# compose


def test_the_compose_file_is_what_compose_takes() -> None:
    program = Path(sys.executable).with_name("check-jsonschema")
    if not program.exists():
        pytest.skip("no check-jsonschema beside this Python")
    file = DEPLOY / "compose" / "compose.yml"
    command = [str(program), "--builtin-schema", "vendor.compose-spec", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_composed_gateway_has_no_rights_and_nowhere_to_write() -> None:
    gateway = COMPOSE["services"]["gateway"]
    assert gateway["read_only"] is True and gateway["user"] == "10001:10001"
    assert gateway["cap_drop"] == ["ALL"] and "no-new-privileges:true" in gateway["security_opt"]
    assert [volume.rpartition(":")[2] for volume in gateway["volumes"]] == ["ro", "/project/var"]
    assert all(port.startswith("127.0.0.1:") for port in gateway["ports"]), "TLS ends in front of it"
    assert "ports" not in COMPOSE["services"]["db"] and COMPOSE["networks"]["inside"]["internal"] is True


def test_no_secret_stands_in_a_file_of_deploy() -> None:
    written = [
        f"{service}: {name}"
        for service, spec in COMPOSE["services"].items()
        for name, value in spec.get("environment", {}).items()
        if re.search("PASSWORD|KEY|TOKEN", name) and not str(value).startswith("${")
    ]
    assert not written
    assert not [name for name, document in documents() if document["kind"] == "Secret"]


def settings_under(environment: Mapping[str, str]) -> Any:
    return load_settings(templates() / "empty", {name: str(value) for name, value in environment.items()})


def test_what_the_composed_gateway_is_told_are_settings() -> None:
    settings = settings_under(COMPOSE["services"]["gateway"]["environment"])
    assert (settings.server.host, settings.server.log) == ("0.0.0.0", "json")
    assert settings.traces.store.endswith("/cellbound_traces") and settings.state.url.endswith(
        "/cellbound_state"
    )


def test_the_database_is_made_by_the_products_own_scripts() -> None:
    environment = COMPOSE["services"]["gateway"]["environment"]
    scripts = DEPLOY / "compose" / "db"
    traces = (scripts / "10-traces.sql").read_text(encoding="utf-8")
    assert traces == traces_setup(environment["CELLBOUND_TRACES__STORE"])
    state = (scripts / "20-state.sql").read_text(encoding="utf-8")
    assert state == state_setup(environment["CELLBOUND_STATE__URL"])
    passwords = (scripts / "30-passwords.sh").read_text(encoding="utf-8")
    made = set(re.findall(r'CREATE ROLE "(\w+)" LOGIN', traces + state))
    assert made and set(re.findall(r"for login in (.+); do", passwords)[0].split()) == made


# Kubernetes


@pytest.mark.parametrize("name", [name for name, _ in documents()])
def test_every_manifest_is_what_kubernetes_takes(name: str) -> None:
    kubernetes_validate.validate(dict(documents())[name], "1.34", strict=True)


def test_every_manifest_is_applied() -> None:
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yml").read_text(encoding="utf-8"))
    files = {file.name for file in KUBERNETES.glob("*.yml")} - {"kustomization.yml"}
    assert set(kustomization["resources"]) == files
    (image,) = kustomization["images"]
    assert image["name"] == container()["image"] and __version__.startswith(image["newTag"])


def test_the_pod_has_no_rights_and_nowhere_to_write() -> None:
    pod = deployment()["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True and pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    walls = container()["securityContext"]
    assert walls["readOnlyRootFilesystem"] is True and walls["allowPrivilegeEscalation"] is False
    assert walls["capabilities"] == {"drop": ["ALL"]}
    mounts = {mount["mountPath"]: mount.get("readOnly", False) for mount in container()["volumeMounts"]}
    assert mounts == {"/project": True, "/project/var": False, "/tmp": False, "/keys": False}


def test_probes_ask_what_the_gateway_answers_and_liveness_asks_nothing_of_others() -> None:
    probes = {name: container()[name]["httpGet"]["path"] for name in container() if name.endswith("Probe")}
    assert set(probes) == {"startupProbe", "livenessProbe", "readinessProbe"}
    assert set(probes.values()) <= routes()
    # A database that is away must not restart replicas that could tell why.
    assert probes["livenessProbe"] == "/health/live" and probes["readinessProbe"] == "/health/ready"


def test_the_pod_has_the_time_it_needs_to_end_and_its_limits_stand() -> None:
    pod = deployment()["spec"]["template"]["spec"]
    pause = container()["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] >= pause + ServerSettings().grace_seconds + 10
    resources = container()["resources"]
    assert {"cpu", "memory"} <= set(resources["requests"]) and "memory" in resources["limits"]
    stop = COMPOSE["services"]["gateway"]["stop_grace_period"]
    assert float(stop.rstrip("s")) >= ServerSettings().grace_seconds + 10


def test_what_the_pod_is_told_are_settings() -> None:
    settings = settings_under({each["name"]: each["value"] for each in container()["env"]} | SECRETS)
    assert (settings.server.host, settings.server.metrics) == ("0.0.0.0", "token")
    assert str(settings.paths.keys) == "/keys/keys.json"


def test_everything_that_selects_selects_the_pod() -> None:
    labels = deployment()["spec"]["template"]["metadata"]["labels"]
    selectors = {
        "Deployment": deployment()["spec"]["selector"]["matchLabels"],
        **{
            document["kind"]: selector.get("matchLabels", selector)
            for _, document in documents()
            for key in ("selector", "podSelector")
            if document["kind"] != "Deployment" and (selector := document["spec"].get(key))
        },
    }
    assert set(selectors) == {"Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"}
    assert all(selector == labels for selector in selectors.values())
