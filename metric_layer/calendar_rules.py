"""Rules for the calendar: one of them, a zone that exists, fiscal years that follow each other day by day."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from metric_layer.definitions import CalendarRules, FiscalYear
from metric_layer.draft import Draft, Site
from metric_layer.fault import Fault, fault, unknown_zone
from metric_layer.zones import is_zone

_ONE_DAY = timedelta(days=1)
_CODE = "broken_fiscal_years"


def check_calendar(draft: Draft) -> Iterator[Fault]:
    """One calendar with a zone that exists, whose table of fiscal years has no gap."""
    for rules, site in draft.calendars[1:]:
        message = f"A second calendar; the first stands at {draft.calendars[0][1].place()}."
        yield fault(rules.time_zone, site, (), "duplicate_calendar", message, "Keep one calendar.")
    for rules, site in draft.calendars:
        if not is_zone(rules.time_zone):
            yield unknown_zone("calendar", site, ("time_zone",), rules.time_zone)
        yield from _fiscal_years(rules, site)


def _fiscal_years(rules: CalendarRules, site: Site) -> Iterator[Fault]:
    for index, year in enumerate(rules.fiscal_years):
        yield from _starts(index, year, site)
    for index, (year, after) in enumerate(pairwise(rules.fiscal_years)):
        place = ("fiscal_years", index + 1)
        if after.year != year.year + 1:
            message = f"Fiscal year {after.year} follows {year.year}."
            yield fault("calendar", site, (*place, "year"), _CODE, message, "List the years one by one.")
        if after.starts[0] != year.end + _ONE_DAY:
            message = (
                f"Fiscal year {after.year} starts on {after.starts[0]}, but {year.year} ends on {year.end}."
            )
            step = f"Let it start on {year.end + _ONE_DAY}, or mend the end."
            yield fault("calendar", site, (*place, "starts", 0), _CODE, message, step)


def _starts(index: int, year: FiscalYear, site: Site) -> Iterator[Fault]:
    place = ("fiscal_years", index)
    for number, (start, after) in enumerate(pairwise(year.starts)):
        if after <= start:
            message = f"In fiscal year {year.year} the period from {after} comes after the one from {start}."
            step = "Write the first days of the twelve periods in order."
            yield fault("calendar", site, (*place, "starts", number + 1), _CODE, message, step)
    if year.end < year.starts[-1]:
        message = f"Fiscal year {year.year} ends on {year.end}, before its last period starts."
        yield fault("calendar", site, (*place, "end"), _CODE, message, "Write its last day.")
