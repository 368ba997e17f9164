"""The readings of open terms that a team chose: its members see them and take them back."""

from collections.abc import Iterator

from gateway.chosen import definition_of, team_of
from gateway.house import House
from gateway.reply import Refusal, issue_of
from gateway.state import StateStore
from metric_layer.definitions import GRAINS
from metric_layer.grain_choice import TERM
from metric_layer.issues import Issue
from metric_layer.known import metric_visible
from metric_layer.layer import Layer
from metric_layer.record import Record
from metric_layer.visible import Visible
from metric_layer.vocabulary import near
from traces.records import Caller

GRAIN_READINGS = frozenset((TERM, grain) for grain in GRAINS)


class ChoiceLine(Record):
    """A term with the reading that was chosen. `team` is empty for a reading of the caller's own.

    `version` is that of the definition when it was chosen (0 where it has none); once the definition is
    another one, the reading is not `in_force` and the term is asked again. `by` is a pseudonym, or `you`.
    """

    team: str
    term: str
    option: str
    version: int
    by: str
    at: str
    in_force: bool


class ChoiceList(Record):
    """The readings a caller's teams chose; `revoked` is the one that was just taken back."""

    choices: tuple[ChoiceLine, ...]
    revoked: str = ""


def list_choices(house: House, state: StateStore, caller: Caller, team: str = "") -> ChoiceList | Refusal:
    """Return the readings of one team, or of all that the caller is in; nobody sees another team's."""
    refused = _stranger(caller, team)
    if refused:
        return refused
    teams = (team,) if team else (*caller.teams, "")
    return ChoiceList(choices=tuple(line for name in teams for line in _of_team(house, state, caller, name)))


def revoke_choice(
    house: House, state: StateStore, caller: Caller, term: str, team: str = ""
) -> ChoiceList | Refusal:
    """Forget the reading of a term, so that it is asked again. Only members of the team may."""
    refused = _stranger(caller, team)
    if refused:
        return refused
    team = team or next(iter(caller.teams), "")
    shown = [line.term for line in _of_team(house, state, caller, team)]
    if term not in shown:
        issue = Issue(
            code="unknown_choice",
            message=f"No reading of {term!r} is kept{f' for team {team}' if team else ''}.",
            seen=term,
            candidates=near(term, tuple(shown)),
            next_step="List the readings with `cellbound metrics choices`.",
        )
        return Refusal(issues=(issue_of(issue, "input"),))
    state.revoke_choice(_key(house, caller, team), term)
    return ChoiceList(choices=tuple(_of_team(house, state, caller, team)), revoked=term)


def _key(house: House, caller: Caller, team: str) -> str:
    """Return the name under which the readings of a team, or of the caller alone, are kept."""
    return team_of(caller.model_copy(update={"teams": (team,) if team else ()}), house.subject(caller))


def _stranger(caller: Caller, team: str) -> Refusal | None:
    if not team or team in caller.teams:
        return None
    issue = Issue(
        code="not_in_team",
        message="You are not in that team.",
        seen=team,
        candidates=near(team, caller.teams),
        next_step=f"Your teams: {', '.join(caller.teams) or 'none'}.",
    )
    return Refusal(issues=(issue_of(issue, "input"),))


def _of_team(house: House, state: StateStore, caller: Caller, team: str) -> Iterator[ChoiceLine]:
    """Yield the readings of a team, or of the caller alone, that the caller could be offered, too."""
    visible = house.visible_for(caller)
    subject = house.subject(caller)
    for choice in state.list_choices(_key(house, caller, team)):
        if _may_be_offered(choice.term, choice.option, house.layer, visible):
            yield ChoiceLine(
                team=team,
                term=choice.term,
                option=choice.option,
                version=choice.version,
                by="you" if choice.by == subject else choice.by,
                at=choice.at.isoformat(timespec="seconds"),
                in_force=choice.definition == definition_of(house.layer, choice.option)[0],
            )


def _may_be_offered(term: str, option: str, layer: Layer, visible: Visible) -> bool:
    """Say whether all that a reading names exists for a caller; one that names nothing is offered to nobody.

    A way to a dimension is named by relationships, each of which names the datasets it joins.
    """
    if (term, option) in GRAIN_READINGS:
        return True
    edges = [layer.relationships.get(name) for name in option.split("+")]
    way = [edge for edge in edges if edge is not None]
    if term in layer.dimensions and len(way) == len(edges):
        joined = {name for edge in way for name in (edge.from_dataset, edge.to_dataset)}
        return visible.dimension(layer.dimensions[term]) and all(map(visible.dataset, joined))
    name = option.partition(":")[0]
    if name in layer.metrics:
        return metric_visible(layer, name, visible)
    fields = layer.clocks[name].fields if name in layer.clocks else (name,)
    dimensions = [layer.dimensions.get(field) for field in fields]
    return all(dimension is not None and visible.dimension(dimension) for dimension in dimensions)
