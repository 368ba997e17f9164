"""Which column means which: proof by origin, then values under two guards, then equal constants."""

from itertools import permutations

from evals.output import OutputScore, score_output
from evals.precision import PrecisionRecall
from tests.evals.samples import Rows, table


def scored(gold: Rows, candidate: Rows) -> OutputScore:
    return score_output(table(gold), table(candidate))


def share(precision: float | None, recall: float | None) -> PrecisionRecall:
    return PrecisionRecall(precision=precision, recall=recall)


def paired(score: OutputScore) -> set[tuple[int, int]]:
    return {(edge.pair.gold, edge.pair.candidate) for edge in score.edges}


WORKED_GOLD = table(
    [("BOOT", "C001", 100), ("BOOT", "C002", 250), ("HELM", "C001", 100), ("HELM", "C002", 250)],
    origins=("orders.item", "customers.customer_id", None),
)
WORKED_CANDIDATE = table(
    [
        ("BOOT", "C001", 100, "N"),
        ("BOOT", "C002", 250, "N"),
        ("HELM", "C001", 30, "N"),
        ("HELM", "C001", 50, "S"),
    ],
    origins=("orders.item", "orders.customer_id", None, "orders.site"),
)


def test_the_worked_example_of_the_source_scores_as_printed() -> None:
    score = score_output(WORKED_GOLD, WORKED_CANDIDATE)
    assert score.columns == share(0.625, 1.0)
    assert (score.matched_cells, score.cells) == (8, share(8 / 12, 8 / 12))


def test_an_origin_pairs_without_any_value_in_common() -> None:
    gold, candidate = ([(value,)] for value in ("Lyon", "Metz"))
    proved = score_output(table(gold, origins=["s.city"]), table(candidate, origins=["s.city"]))
    assert paired(proved) == {(0, 0)} and proved.columns == share(0.0, 0.0)
    assert not scored(gold, candidate).edges


def test_the_threshold_is_on_the_smaller_half_and_its_edge_counts() -> None:
    def score(wide: int) -> OutputScore:
        return scored([(1,), (2,)], [(value,) for value in range(1, wide + 1)])

    assert score(10).columns == share(0.2, 1.0)
    assert score(11).columns == share(0.0, 0.0)


def test_one_value_in_thirty_is_no_pair_however_good_its_recall() -> None:
    gold = [(0, "x"), (0, "y")]
    candidate = [(value, "z") for value in range(30)]
    assert not scored(gold, candidate).edges


def test_null_is_no_evidence() -> None:
    assert not scored([(None,), (1,), (2,)], [(None,), (8,), (9,)]).edges


def test_constants_pair_last_and_only_when_they_are_equal() -> None:
    assert scored([(7,)], [(7,)]).columns == share(1.0, 1.0)
    assert scored([(7,)], [(8,)]).columns == share(0.0, 0.0)
    assert scored([(None,)], [(None,)]).columns == share(1.0, 1.0)
    assert not scored([(7,)], [(7,), (8,)]).edges


def test_pairs_are_taken_best_first_and_not_for_the_best_sum() -> None:
    gold = [(1, 1), (2, 2), (3, 3), (4, 9)]
    candidate = [(1, 1), (2, 2), (3, 3), (9, 10)]
    assert paired(scored(gold, candidate)) == {(1, 0), (0, 1)}


def test_a_tie_of_sets_is_broken_by_bags_and_a_tie_of_bags_by_rows() -> None:
    by_bag = scored([("a", "b"), ("a", "a"), ("b", "b")], [("b", "a"), ("a", "a"), ("b", "b")])
    assert paired(by_bag) == {(0, 1), (1, 0)} and by_bag.is_perfect()
    people = [("ann", "bob", 1), ("bob", "cas", 2), ("cas", "ann", 3)]
    crossed = scored(people, [(boss, name, number) for name, boss, number in people])
    assert paired(crossed) == {(0, 1), (1, 0), (2, 2)} and crossed.is_perfect()


def test_ties_are_tried_up_to_the_cap_and_counted_beyond() -> None:
    row = (5,)
    assert not scored([row * 6], [row * 6]).ties_over_cap
    assert scored([row * 7], [row * 7]).ties_over_cap
    assert scored([row * 7], [row * 7]).is_perfect()


def test_many_columns_that_pair_one_to_one_are_no_tie() -> None:
    wide = [tuple(10 * column + row for column in range(30)) for row in range(3)]
    score = scored(wide, [row[::-1] for row in wide])
    assert score.is_perfect() and not score.ties_over_cap


def test_every_column_is_in_the_denominator() -> None:
    gold = [tuple(f"{column}{row}" for column in range(20)) for row in range(4)]
    score = scored(gold, [row[:1] for row in gold])
    assert score.columns == share(1.0, 1 / 20)


def test_several_columns_of_one_origin_pair_by_their_overlap() -> None:
    rows = [(1, 2), (3, 4)]
    for order in permutations((0, 1)):
        candidate = table([tuple(row[i] for i in order) for row in rows], origins=["t.id", "t.id"])
        score = score_output(table(rows, origins=["t.id", "t.id"]), candidate)
        assert paired(score) == {(order[0], 0), (order[1], 1)}


def test_an_empty_side_makes_its_half_undefined() -> None:
    empty, full = table([], 1), table([(1,), (2,)])
    assert score_output(full, empty).columns == share(None, 0.0)
    assert score_output(empty, full).columns == share(0.0, None)
    assert score_output(empty, empty).columns == share(None, None)
    assert score_output(empty, empty).exact
