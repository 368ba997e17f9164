"""The verbs over what models did: another is asked what is on record; what each gets wrong is counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from evals.by_model import FiringByModel, firing_by_model
from gateway.agent.candidate import Candidates
from gateway.agent.candidate_report import CandidateReport
from gateway.agent.prompting import Prompts
from gateway.agent.task import Stores
from gateway.agent.worked import worked_on
from gateway.houses import Houses
from gateway.models.verb import Model
from gateway.replay.sample import Choice
from gateway.reply import Refusal
from traces.records import Caller


@dataclass(frozen=True, slots=True)
class AgentDesk:
    """What models did on record. `askers` are the users that the project knows."""

    houses: Houses
    stores: Stores
    askers: Iterable[Caller] = ()

    def replay_candidate(
        self, caller: Caller, choice: Choice, model: Model, prompts: Prompts
    ) -> CandidateReport:
        """Ask another model, or with other prompts, what a model was asked on record; nobody is answered."""
        with self.houses.asking() as house:
            return Candidates(house, self.stores, caller, model, prompts, tuple(self.askers)).report(choice)

    def firing(self, caller: Caller, since: date | None = None) -> FiringByModel | Refusal:
        """Return what each model on record got wrong, for who may audit."""
        with self.houses.asking() as house:
            found = worked_on(house, self.stores.traces, caller, since)
            return found if isinstance(found, Refusal) else firing_by_model(found)
