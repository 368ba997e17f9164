"""A whole run: which questions, how many at once, what was asked before, and the lines as they come."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice

from evals.bench import Benches
from evals.cases import Case, left_out
from evals.results import RunLine, case_digest, line_key
from evals.run import run_case
from evals.subject import Asked, Subject


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run asks. `known` are all cases a retriever could serve: twins are sought among them.

    `tags` keeps cases that carry one of them, `sample` every n-th of what is left, so that a sample is the
    same one tomorrow. `phrasings` asks every wording, `repeats` everything that often.
    """

    known: tuple[Case, ...]
    subject_name: str
    tags: frozenset[str] = frozenset()
    sample: int = 0
    phrasings: bool = False
    repeats: int = 1
    at_once: int = 4

    def cases(self) -> tuple[Case, ...]:
        """Return the cases that are asked."""
        kept = tuple(case for case in self.known if not self.tags or self.tags & set(case.tags))
        if not self.sample or self.sample >= len(kept):
            return kept
        return tuple(kept[at * len(kept) // self.sample] for at in range(self.sample))

    def questions(self) -> Iterator[tuple[Case, int, int]]:
        """Yield (case, phrasing, repeat) of every question."""
        for repeat in range(self.repeats):
            for case in self.cases():
                for phrasing in range(1 + (len(case.phrasings) if self.phrasings else 0)):
                    yield case, phrasing, repeat


def run_plan(
    plan: RunPlan, subject: Subject, benches: Benches, done: Sequence[RunLine] = ()
) -> Iterator[RunLine]:
    """Ask what `done` does not hold yet, `at_once` questions at a time, and yield each as it ends.

    Every question, its gold query and what is run beside it go by the case's asker. Closing the iterator
    early asks nothing more; questions under way are waited for.
    """
    hidden = left_out(plan.known, benches.of("").warehouse.dialect)
    digests = {case.id: case_digest(case) for case in plan.known}
    known = {line.key for line in done}

    def asked(case: Case, phrasing: int, repeat: int) -> RunLine:
        wording = (case.question, *case.phrasings)[phrasing]
        question = Asked(
            case_id=case.id,
            question=wording,
            exclude=hidden[case.id],
            phrasing=phrasing,
            asker=case.asker,
        )
        run = run_case(case, question, subject, benches.of(case.asker))
        return RunLine(subject=plan.subject_name, case_digest=digests[case.id], repeat=repeat, run=run)

    waiting = (
        (case, phrasing, repeat)
        for case, phrasing, repeat in plan.questions()
        if line_key(plan.subject_name, digests[case.id], phrasing, repeat) not in known
    )
    with ThreadPoolExecutor(plan.at_once) as pool:
        running: set[Future[RunLine]] = set()
        while True:
            running |= {pool.submit(asked, *each) for each in islice(waiting, plan.at_once - len(running))}
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                yield future.result()
