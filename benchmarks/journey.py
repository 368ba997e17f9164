"""How long a new user takes, from a clone to the first answer over a database of their own.

python benchmarks/journey.py [--quick] [--json]

Clones this repository into an empty folder and follows the clone's docs/tutorial.md word by word: every file
it shows is written, every command is typed into a shell, against a real PostgreSQL that was started for it,
until the served gateway has answered. Seconds are the machine's; `reading_s` is what the words of the page
take at 200 a minute; `first_answer_s` is the clone and everything up to the first answer over the user's own
database. With --quick nothing is cloned or installed: the page and the code are those of this folder.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from benchmarks.newcomer.page import Step, steps_of  # noqa: E402
from benchmarks.newcomer.person import Done, Person, borrowed, environment_of  # noqa: E402
from benchmarks.newcomer.terminal import StepFailed  # noqa: E402
from tests.servers.postgres import SUPERUSER, NoServer, Server, running  # noqa: E402

PROMISED_S = 15 * 60
WORDS_A_MINUTE = 200
INSTALLS = ("python3 -m venv", ". cellbound-env", "pip install")
FIRST = "cellbound ask"


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    try:
        figures = journey(quick=chosen.quick)
    except (NoServer, StepFailed) as fault:
        figures = {"unavailable" if isinstance(fault, NoServer) else "failed": str(fault)}
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else as_text(figures))
    if "failed" in figures:
        raise SystemExit(1)


def journey(*, quick: bool) -> dict[str, Any]:
    """Return what each step took. Raises StepFailed, NoServer."""
    with (
        tempfile.TemporaryDirectory(prefix="cellbound-journey-", ignore_cleanup_errors=True) as folder,
        running() as server,
    ):
        home, programs = Path(folder) / "home", Path(folder) / "bin"
        home.mkdir()
        environment = environment_of(home, administered(server, home), SUPERUSER, programs)
        if quick:
            borrowed(programs, ROOT)
            return figures_of(walked(Person(home, environment), ROOT, without=INSTALLS), ROOT)
        cloned = clone(home / "cellbound")
        person = Person(home / "cellbound", environment)
        return figures_of([cloned, *walked(person, home / "cellbound")], home / "cellbound")


def administered(server: Server, home: Path) -> int:
    """Give the administrator a password, which is where PostgreSQL programs look for it; return the port."""
    password = token_hex()
    server.execute(f"ALTER ROLE {SUPERUSER} PASSWORD '{password}'")
    kept = home / ".pgpass"
    kept.write_text(f"*:{server.port}:*:{SUPERUSER}:{password}\n", encoding="utf-8")
    kept.chmod(0o600)
    return server.port


def clone(into: Path) -> Done:
    """Clone this repository as it was last committed."""
    began = time.perf_counter()
    done = subprocess.run(
        ["git", "clone", "--quiet", f"file://{ROOT}", str(into)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise StepFailed(f"git clone\n{done.stderr}")
    step = Step("0. Clone", command="git clone")
    return Done(step, "", time.perf_counter() - began)


def walked(person: Person, checkout: Path, without: tuple[str, ...] = ()) -> list[Done]:
    """Follow the tutorial of a checkout, without the commands that begin like these."""
    try:
        for step in steps_of(checkout / "docs" / "tutorial.md"):
            if not (without and step.command.startswith(without)):
                person.follow(step)
    finally:
        person.leave()
    if '"outcome":"answered"' not in person.said("curl "):
        raise StepFailed(f"The served gateway did not answer.\n{person.said('curl ')}")
    return person.done


def figures_of(done: Sequence[Done], checkout: Path) -> dict[str, Any]:
    """Return the seconds of each step and of all, beside those that are promised."""
    asked = next(place for place, each in enumerate(done) if each.step.command.startswith(FIRST))
    words = len((checkout / "docs" / "tutorial.md").read_text(encoding="utf-8").split())
    return {
        "steps": [
            {"section": each.step.section, "step": each.step.said, "s": round(each.seconds, 2)}
            for each in done
        ],
        "first_answer_s": round(sum(each.seconds for each in done[: asked + 1]), 1),
        "machine_s": round(sum(each.seconds for each in done), 1),
        "reading_s": round(words / WORDS_A_MINUTE * 60),
        "promised_s": PROMISED_S,
    }


def as_text(figures: dict[str, Any]) -> str:
    """Return the figures as lines a person reads."""
    lines = []
    section = ""
    for each in figures.get("steps", ()):
        if each["section"] != section:
            section = each["section"]
            lines.append(section)
        step = each["step"] if len(each["step"]) <= 80 else f"{each['step'][:76]} ..."
        lines.append(f"  {each['s']:>8.2f} s  {step}")
    lines += [f"{name}: {value}" for name, value in figures.items() if name != "steps"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
