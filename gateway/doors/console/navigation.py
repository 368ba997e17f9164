"""The places of the console and the right each one takes: nobody is shown a door that stays shut for them."""

from dataclasses import dataclass

from gateway.doors.console.desk import Visit

ROOT = "/console"


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of the navigation; `right` is empty where every signed-in person may go."""

    path: str
    label: str
    right: str


PLACES = (
    Place(f"{ROOT}/ask", "Ask", "ask"),
    Place(f"{ROOT}/analyses", "Analyses", "ask"),
    Place(f"{ROOT}/metrics", "Metrics", ""),
    Place(f"{ROOT}/traces", "Traces", ""),
    Place(f"{ROOT}/holds", "Queue", "review"),
    Place(f"{ROOT}/holds", "Held", "ask"),
    Place(f"{ROOT}/firing", "Checks", "audit"),
    Place(f"{ROOT}/ladder", "Release", "release"),
    Place(f"{ROOT}/ladder", "Release", "audit"),
    Place(f"{ROOT}/evals", "Evals", "evaluate"),
    Place(f"{ROOT}/personal", "Personal", "accept_tags"),
    Place(f"{ROOT}/health", "Health", ""),
)


def places_for(visit: Visit) -> tuple[Place, ...]:
    """Return the places a person may go to, in the order they are shown, each under its first name."""
    open_places = [place for place in PLACES if visit.may(place.right)]
    return tuple({place.path: place for place in reversed(open_places)}.values())[::-1]


def first_place(visit: Visit) -> str:
    """Return where a person starts: a reviewer at the queue, everybody else at the first of their places."""
    return f"{ROOT}/holds" if visit.may("review") else places_for(visit)[0].path
