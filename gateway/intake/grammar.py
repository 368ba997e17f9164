"""The words of questions that name nothing: operators, and words without a meaning of their own."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gateway.ground.lexing.lexicon import words
from metric_layer.period_words import COUNTS, TENS

# Each operator with the ways to say it. A word in no row, in no layer and in no period is unexplained.
_OPERATORS: Mapping[str, str] = {
    "by": (
        "by; by the; per; each; every; for each; for every; for each of the; in each; in every; of "
        "each; at each; by each; per each; across; across the; split by; split up by; split into; "
        "split per; split it by; split that by; split this by; broken down by; broken down into; "
        "broken out by; broken into; break down by; break out by; break it down by; break that down "
        "by; break this down by; breakdown by; breakdown per; a breakdown by; a breakdown per; for "
        "each of; each of; of each of; in each of; grouped by; group by; segmented by; sliced by; "
        "slice by; separated by; separated into; one row per; according to; listed by; shown by; by "
        "individual; per individual"
    ),
    "in": (
        "in; at; for; from; within; of; inside; on; among; amongst; through; via; into; with; "
        "where; to; only in; only for; just in; just for; belonging to; coming from; that are in; "
        "limited to; restricted to; filtered to; filtered by; filter by; filter on; filter to; "
        "specifically for; specifically in; made in; made through; sold in; sold through; "
        "throughout; concerning; about; about the; for the; in the; of the; on the; at the; from "
        "the; with the; within the; for our; in our; of our; at our; across our; total for the; "
        "only the; just the"
    ),
    "but": "but",
    "not": (
        "excluding; w o; neither; with no; exclude; excludes; except; except for; except in; other "
        "than; apart from; aside from; besides; without; outside; outside of; not; not in; not for; "
        "not from; not including; not counting; not include; but not; but not in; but not for; "
        "leaving out; leave out; leaving aside; minus; ignoring; ignore; omitting; omit; ex; excl; "
        "non; everything but; all but; anything but; do not include; do not count; and not; and not "
        "in; take out; skip; skipping; with the exception of; but without; but excluding; beyond; "
        "everywhere but; anywhere but; everywhere except; everywhere outside"
    ),
    "and": (
        "and; or; as well as; along with; together with; plus; and also; and the; both; either; "
        "nor; versus also"
    ),
    "top": (
        "top; best; highest; largest; biggest; most; greatest; strongest; leading; best performing; "
        "top performing; best selling; top selling; longest; slowest"
    ),
    "bottom": (
        "bottom; worst; lowest; smallest; least; fewest; weakest; poorest; worst performing; worst selling; "
        "shortest; fastest; quickest"
    ),
    "order": (
        "order by; ordered by; order it by; order them by; sort by; sorted by; sort it by; sort "
        "them by; rank by; ranked by; rank them by; sorted on; arranged by; ranked on; sort on"
    ),
    "sorting": "rank; sort; ranking; ranking of; a ranking of; ranked; sorted; rank the; sort the",
    "descending": (
        "descending; sort descending; sorted descending; sort it descending; sorted in descending "
        "order; sort in descending order; ordered descending; in descending order; descending "
        "order; desc; highest first; largest first; biggest first; top first; best first; highest "
        "to lowest; from highest to lowest; high to low; from high to low; largest to smallest; "
        "from largest to smallest; most first; biggest to smallest; from biggest to smallest; longest first; "
        "from most to least; most to least; from longest to shortest"
    ),
    "ascending": (
        "ascending; sort ascending; sorted ascending; sort it ascending; sorted in ascending order; "
        "sort in ascending order; ordered ascending; in ascending order; ascending order; asc; "
        "lowest first; smallest first; worst first; lowest to highest; from lowest to highest; low "
        "to high; from low to high; smallest to largest; from smallest to largest; least first; "
        "fewest first; smallest to biggest; from smallest to biggest; shortest first; from least to most; "
        "least to most; from shortest to longest"
    ),
    "versus": (
        "vs; versus; v; against; as against; compared to; compared with; compare to; compare with; "
        "in comparison to; in comparison with; relative to; as compared to; as compared with; "
        "compared against; comparison with; comparison to; set against; up against; held against; "
        "compare it to; compare it with; compare that to; compare that with; compare this to; "
        "compare this with; and compare it with; and compare it to; and compare with; and compare "
        "to; and compare that with; and compare that to; measured against; against that of"
    ),
    "compare": (
        "compare; comparing; comparison; comparison of; comparison between; a comparison of; "
        "difference between; the difference between; compared; and compare"
    ),
    "which": "which; what; who",
    "all": (
        "all; any; all the; all of the; all our; the whole; entire; whole; regardless of; "
        "irrespective of; for all; for all the; across all; across all the; across all of the; "
        "across the whole; across all our; in all; in all the; any of the; all of our"
    ),
    "level": (
        "level; levels; wise; breakdown; split; basis; breakdown of; a breakdown of; split of; a split of"
    ),
    "separately": "separately; individually; side by side; one by one",
    "instead": "instead; rather",
    "instead_of": "instead of; rather than; in place of; not by; not per",
    "add": "also; too; as well; add; additionally; in addition; include; including; on top",
    "drop": (
        "drop; remove; clear; reset; remove the filter on; drop the filter on; forget; undo; "
        "without any; no longer by; stop splitting by; take away"
    ),
    "overall": (
        "total; overall; in total; altogether; combined; in aggregate; as a whole; without a "
        "breakdown; without breakdown; no breakdown; together; in sum; sum of; sum; grand total; "
        "aggregate; aggregated; without any breakdown; without a split"
    ),
    "everywhere": ("everywhere; company wide; companywide; across the company; across the board; worldwide"),
    "same": (
        "same; the same; same again; same thing; the same thing; same question; same figures; same "
        "numbers; do the same; same but; the same but; same here but"
    ),
    "about": ("what about; how about; and what about; and how about; now; and now; then; and then; okay; ok"),
    "number_of": (
        "number of; the number of; count of; the count of; numbers of; total number of; the total "
        "number of; quantity of"
    ),
    "amount_of": (
        "amount of; the amount of; value of; the value of; total value of; total amount of; volume "
        "of; total of; the total of; the sum of"
    ),
    "perform": "do; doing; perform; performing; performed; fare; fared; going; did; done",
    "movement": (
        "time series of; time series; in chronological order; chronologically; change; changed; "
        "develop; developed; evolve; evolved; trend; trended; trending; changes; trends; "
        "development; evolution; over time; move; moved"
    ),
    "generic": (
        "performance; business; numbers; figures; results; result; data; kpi; kpis; stats; "
        "statistics; report; reports; metrics; metric; overview; summary; dashboard; analytics; "
        "things; it; that; them; they; those; these; this; filter; filters; everything; anything; "
        "something"
    ),
    "modifier": (
        "average; avg; mean; median; growth; grew; grow; growing; share; share of; percentage; "
        "percentage of; percent; percent of; proportion; proportion of; ratio; ratio of; "
        "cumulative; running total of; variance; max; min; maximum; minimum; increase in; increase; "
        "decrease; decrease in; rise in; drop in; decline in; fall in; change in; rate of; rolling "
        "average; moving average; distribution of; correlation of; like for like; uplift; budgeted; "
        "planned; target; adjusted; normalised; normalized; estimated; typical"
    ),
    "threshold": (
        "at least; at most; more than; less than; fewer than; greater than; larger than; smaller "
        "than; exceeding; exceeds; equal to; bigger than; no more than; no less than; most of; part "
        "of; half of; some of"
    ),
    "between": "between; in between",
    "time_lead": (
        "last; past; previous; prior; preceding; current; latest; during; during the; over the "
        "course of; in the course of; as at; since; until; till; as of"
    ),
    "time_next": "next; coming; upcoming",
    "grain:day": (
        "daily; day by day; per day; by day; each day; every day; by date; per date; by calendar day"
    ),
    "grain:week": "weekly; week by week; per week; by week; each week; every week; by calendar week",
    "grain:month": (
        "monthly; month by month; per month; by month; each month; every month; by calendar month"
    ),
    "grain:quarter": ("quarterly; quarter by quarter; per quarter; by quarter; each quarter; every quarter"),
    "grain:year": (
        "yearly; annual; annually; year by year; per year; by year; each year; every year; per annum"
    ),
    "grain:fiscal_quarter": (
        "by fiscal quarter; per fiscal quarter; by financial quarter; each fiscal quarter; every "
        "fiscal quarter; fiscal quarterly"
    ),
    "grain:fiscal_year": (
        "by fiscal year; per fiscal year; by financial year; each fiscal year; every fiscal year"
    ),
    "grain:calendar_quarter": "by calendar quarter; per calendar quarter; each calendar quarter",
    "grain:calendar_year": "by calendar year; per calendar year; each calendar year",
    "unit:day": "day; days",
    "unit:week": "week; weeks",
    "unit:month": "month; months",
    "unit:quarter": "quarter; quarters",
    "unit:year": "year; years",
    "unit:fiscal_quarter": "fiscal quarter; fiscal quarters",
    "unit:fiscal_year": "fiscal year; fiscal years",
}
_EMPTY = (
    "a; an; the; is; are; was; were; be; been; being; am; i; we; us; our; ours; my; me; you; your; "
    "their; its; there; here; have; has; had; having; please; pls; plz; thanks; thank you; thank "
    "you very much; thanks a lot; many thanks; kindly; could; can; would; should; shall; let; lets; "
    "show; shows; give; tell; list; display; get; fetch; find; see; know; want; need; like; look; "
    "looks; looking; look like; looked like; check; pull; pull up; bring; bring up; send; return; "
    "print; provide; present; how; how much; how many; so; only; just; solely; exclusively; simply; "
    "actually; exactly; really; again; does; make; makes; made; making; come; comes; came; came in "
    "at; came to; brought in; brings in; brought; do in; took; take; take in; hi; hello; hey; dear; "
    "team; question; curious; wondering; wonder; interested; interested in; interested to know; "
    "view; table; a table of; chart; graph; plot; answer; break down; break out; split out; figure; "
    "record; recorded; reach; reached; achieve; achieved; generate; generated; earn; earned; saw; sell; "
    "sells; sold; placed; "
    "selling; quick; quickly; be like; respectively; up to now; in terms of; when it comes to; with "
    "regard to; with respect to; regarding; by any chance; to me; if possible; if you can; i need; "
    "i want; i would like; i would like to know; of course; have a look at; asap; worth of; over; "
    "one; out; some; over the; to the; see how; also please; hope you are well; sorry; good "
    "morning; good afternoon; as; say; level of; levels of; do we have; did we have; did we make; "
    "did we get; do you have; did you see; have we had; have we made; we did; did we sell; did we "
    "do in; did you; what is the; what are the; what was the; what were the; what was; what were; "
    "what is; what are; can you; could you; would you; quick question; breakdown please"
)


def _phrases(said: str) -> Iterable[str]:
    return (phrase.strip() for phrase in said.split(";"))


def _by_phrase() -> Mapping[str, str]:
    found = dict.fromkeys(_phrases(_EMPTY), "empty")
    found.update({phrase: code for code, said in _OPERATORS.items() for phrase in _phrases(said)})
    return MappingProxyType(found)


# Every phrase of the language with its operator, and the longest of them in words.
PHRASES = _by_phrase()
LONGEST = max(len(phrase.split()) for phrase in PHRASES)
# What a question may open with before its first sign ("No, by store").
INTERJECTIONS = words("no nope yes yeah yep sure right great good well fine sorry wait hm hmm so actually")
FUNCTION_WORDS = frozenset(phrase for phrase in PHRASES if " " not in phrase)
NUMBERS: Mapping[str, int] = MappingProxyType({**COUNTS, **TENS, "fifty": 50})
# Built-in ways to ask for what no plan can do; the owner of a layer adds more.
UNSUPPORTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cause": (
            "why",
            "how come",
            "reason for",
            "reasons for",
            "root cause",
            "what explains",
            "because",
            "what led to",
        ),
        "forecast": ("forecast", "predict", "prediction", "projection", "extrapolate", "will be"),
        "write": ("delete", "update", "insert", "truncate", "overwrite"),
        "personal_data": (
            "email address",
            "email addresses",
            "phone numbers",
            "home address",
            "date of birth",
        ),
    }
)
