"""A ledger: balances per account and day, payments in cents and several currencies, visits, sign-ups."""

from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.resolve import resolve
from metric_layer.resolved import OutputColumn, ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.trap_shop import TODAY, plan_of

LEDGER = """
calendar: {fiscal_start_month: 2, time_zone: Europe/Berlin}
datasets:
  - name: accounts
    relation: accounts
    primary_key: [account_id]
    columns:
      - {name: account_id, type: integer, nullable: false}
      - {name: branch, type: string}
      - {name: city, type: string}
  - name: balances
    relation: balances
    columns:
      - {name: account_id, type: integer}
      - {name: balance_date, type: date}
      - {name: booked_on, type: date}
      - {name: amount, type: decimal, unit: EUR}
  - name: payments
    relation: payments
    columns:
      - {name: account_id, type: integer}
      - {name: paid_on, type: date}
      - {name: currency, type: string}
      - {name: cents, type: integer, scale: 0.01}
      - {name: fee, type: decimal, unit: EUR}
      - {name: rate, type: float}
  - name: visits
    relation: visits
    columns:
      - {name: visitor, type: integer}
      - {name: account_id, type: integer}
      - {name: page, type: string}
      - {name: visited_at, type: timestamptz}
      - {name: seen_at, type: timestamp, time_zone: America/New_York}
  - name: signups
    relation: signups
    columns:
      - {name: person, type: integer}
      - {name: account_id, type: integer}
      - {name: page, type: string}
      - {name: plan_name, type: string}
      - {name: signed_at, type: timestamptz}
      - {name: signed_on, type: date}
  - name: people
    relation: people
    primary_key: [person_id]
    columns:
      - {name: person_id, type: integer, nullable: false}
      - {name: country, type: string}
  - name: pages
    relation: pages
    primary_key: [page]
    columns:
      - {name: page, type: string, nullable: false}
  - name: hits
    relation: hits
    large: true
    time_column: hit_on
    max_window_days: 92
    columns:
      - {name: hit_on, type: date}
relationships:
  - {name: balance_account, from_dataset: balances, to_dataset: accounts, from_columns: [account_id],
     to_columns: [account_id]}
  - {name: payment_account, from_dataset: payments, to_dataset: accounts, from_columns: [account_id],
     to_columns: [account_id]}
  - {name: visit_person, from_dataset: visits, to_dataset: people, from_columns: [visitor],
     to_columns: [person_id]}
  - {name: signup_person, from_dataset: signups, to_dataset: people, from_columns: [person],
     to_columns: [person_id]}
  - {name: visit_page, from_dataset: visits, to_dataset: pages, from_columns: [page], to_columns: [page]}
  - {name: signup_page, from_dataset: signups, to_dataset: pages, from_columns: [page], to_columns: [page]}
dimensions:
  - {name: account, dataset: accounts, column: account_id}
  - {name: branch, dataset: accounts, column: branch}
  - {name: city, dataset: accounts, column: city, description: City of the account., synonyms: [place]}
  - {name: country, dataset: people, column: country, description: Where a person lives., synonyms: [place]}
  - {name: person, dataset: people, column: person_id}
  - {name: page, dataset: pages, column: page}
  - {name: balance_date, dataset: balances, column: balance_date}
  - {name: booked_on, dataset: balances, column: booked_on}
  - {name: paid_on, dataset: payments, column: paid_on}
  - {name: currency, dataset: payments, column: currency}
  - {name: fee_amount, dataset: payments, column: fee}
  - {name: visited_at, dataset: visits, column: visited_at}
  - {name: seen_at, dataset: visits, column: seen_at}
  - {name: signed_at, dataset: signups, column: signed_at}
  - {name: signed_on, dataset: signups, column: signed_on}
  - {name: plan_name, dataset: signups, column: plan_name}
  - {name: hit_on, dataset: hits, column: hit_on}
hierarchies:
  - {name: places, levels: [branch, city]}
clocks:
  - {name: any_time, fields: [paid_on, balance_date, visited_at]}
metrics:
  - {name: balance, version: 2, owner: bank, description: Money held., label: Balance, type: sum,
     dataset: balances, column: amount, snapshot: {over: balance_date, pick: last}}
  - {name: balance_each, version: 1, owner: bank, description: Last balance of each account., type: sum,
     dataset: balances, column: amount, snapshot: {over: balance_date, pick: last, per: [account]}}
  - {name: balance_mean, version: 1, owner: bank, description: Average balance., type: sum,
     dataset: balances, column: amount, snapshot: {over: balance_date, pick: average}}
  - {name: balance_rows, version: 1, owner: bank, description: Balances summed., type: sum,
     dataset: balances, column: amount, time_field: balance_date, non_additive: [balance_date],
     synonyms: [wealth]}
  - {name: balance_growth, version: 1, owner: bank, description: Balance against last month.,
     type: period_over_period, metric: balance, offset: {count: 1, unit: month}, display: {style: percent}}
  - {name: paid, version: 1, owner: bank, description: Payments in their own currency., type: sum,
     dataset: payments, column: cents, unit_dimension: currency, time_field: paid_on}
  - {name: paid_usd, version: 1, owner: bank, description: Payments in dollars., type: filtered,
     metric: paid, filters: [{field: currency, op: eq, values: [USD]}]}
  - {name: paid_eur, version: 1, owner: bank, description: Payments in euros., type: filtered,
     metric: paid, filters: [{field: currency, op: in, values: [EUR]}]}
  - {name: paid_both, version: 1, owner: bank, description: Two currencies., type: derived,
     expression: paid_usd + paid_eur}
  - {name: paid_twice, version: 1, owner: bank, description: Doubled payments., type: derived,
     expression: paid * 2}
  - {name: fees, version: 1, owner: bank, description: Fees., type: sum, dataset: payments, column: fee,
     time_field: paid_on, synonyms: [wealth, cost]}
  - {name: payments_made, version: 1, owner: bank, description: Payments counted., type: count,
     dataset: payments, time_field: paid_on}
  - {name: fee_each, version: 1, owner: bank, description: Fees per payment., type: ratio,
     numerator: fees, denominator: payments_made}
  - {name: fees_left, version: 1, owner: bank, description: Fees less a count., type: derived,
     expression: fees - payments_made * 2}
  - {name: fee_share, version: 1, owner: bank, description: Fees of balances., type: derived,
     expression: fees + balance_rows}
  - {name: fee_median, version: 1, owner: bank, description: Middle fee., type: median, dataset: payments,
     column: fee, time_field: paid_on}
  - {name: fee_p90, version: 1, owner: bank, description: High fee., type: percentile, percentile: 0.9,
     dataset: payments, column: fee, time_field: paid_on}
  - {name: payers, version: 1, owner: bank, description: Accounts that paid., type: approx_count_distinct,
     dataset: payments, column: account_id, time_field: paid_on}
  - {name: fees_to_date, version: 1, owner: bank, description: Fees this year., type: cumulative,
     metric: fees, to_date: year}
  - {name: fees_28, version: 1, owner: bank, description: Fees of 28 days., type: cumulative, metric: fees,
     window: {count: 28, unit: day}}
  - {name: fees_ever, version: 1, owner: bank, description: Fees so far., type: cumulative, metric: fees}
  - {name: fee_each_28, version: 1, owner: bank, description: Fees per payment of 28 days.,
     type: cumulative, metric: fee_each, window: {count: 28, unit: day}}
  - {name: fees_last_month, version: 1, owner: bank, description: Fees a month earlier.,
     type: period_over_period, metric: fees, offset: {count: 1, unit: month}, calculation: value}
  - {name: fees_change, version: 1, owner: bank, description: Fees against a month earlier.,
     type: period_over_period, metric: fees, offset: {count: 1, unit: month}, calculation: difference}
  - {name: fees_growth, version: 1, owner: bank, description: Growth of fees., type: period_over_period,
     metric: fees, offset: {count: 1, unit: month}}
  - {name: to_date_last_year, version: 1, owner: bank, description: Fees to date a year earlier.,
     type: period_over_period, metric: fees_to_date, offset: {count: 1, unit: year}, calculation: value}
  - {name: visit_count, version: 1, owner: web, description: Visits., type: count, dataset: visits,
     time_field: visited_at}
  - {name: local_visits, version: 1, owner: web, description: Visits by local time., type: count,
     dataset: visits, time_field: seen_at}
  - {name: visitors, version: 1, owner: web, description: Visitors., type: count_distinct, dataset: visits,
     column: visitor, time_field: visited_at}
  - {name: signup_count, version: 1, owner: web, description: Sign-ups., type: count, dataset: signups,
     time_field: signed_at}
  - {name: paid_signups, version: 1, owner: web, description: Paid sign-ups., type: filtered,
     metric: signup_count, filters: [{field: plan_name, op: ne, values: [free]}]}
  - {name: conversion_rate, version: 1, owner: web, description: Visits that led to a paid sign-up.,
     type: conversion, base: visit_count, conversion: paid_signups, entity: person,
     window: {count: 7, unit: day}, constant: [page]}
  - {name: converted, version: 1, owner: web, description: Visitors that signed up., type: conversion,
     base: visitors, conversion: signup_count, entity: person, calculation: count}
  - {name: hit_count, version: 1, owner: web, description: Hits., type: count, dataset: hits,
     time_field: hit_on}
  - {name: hits_ever, version: 1, owner: web, description: Hits so far., type: cumulative, metric: hit_count}
  - {name: hits_year, version: 1, owner: web, description: Hits of a year., type: cumulative,
     metric: hit_count, window: {count: 1, unit: year}}
  - {name: old_fees, version: 1, owner: bank, description: Replaced., type: sum, dataset: payments,
     column: fee, time_field: paid_on, status: deprecated, successor: fees}
  - {name: new_fees, version: 3, owner: bank, description: Not yet., type: sum, dataset: payments,
     column: fee, time_field: paid_on, status: draft}
  - {name: past_fees, version: 1, owner: bank, description: Ended., type: sum, dataset: payments,
     column: fee, time_field: paid_on, effective_to: 2026-01-01}
  - {name: on_past, version: 1, owner: bank, description: Rests on what ended., type: derived,
     expression: past_fees * 2}
"""


def ledger(extra: str = "", text: str = LEDGER) -> Layer:
    """Load the ledger's definitions; `extra` is appended to the metrics."""
    return load_text(text + extra)


def resolving(layer: Layer, **raw: object) -> ResolvedPlan | tuple[Issue, ...]:
    """Resolve a plan; `choices`, `allow`, `visible` and `engine` stand beside its keys."""
    beside = {key: raw.pop(key, None) for key in ("choices", "allow", "visible", "engine")}
    return resolve(
        plan_of(raw),
        layer,
        visible=beside["visible"] or Visible(),  # type: ignore[arg-type]
        choices=beside["choices"] or {},  # type: ignore[arg-type]
        today=TODAY,
        dialect=beside["engine"],  # type: ignore[arg-type]
        allow=beside["allow"] or (),  # type: ignore[arg-type]
    )


def answered(layer: Layer, **raw: object) -> ResolvedPlan:
    """Resolve a plan that has to resolve."""
    found = resolving(layer, **raw)
    assert isinstance(found, ResolvedPlan), found
    return found


def refused(layer: Layer, **raw: object) -> list[tuple[str, str]]:
    """Resolve a plan that must not resolve, and return the codes and places of all issues."""
    found = resolving(layer, **raw)
    assert isinstance(found, tuple), found
    assert all(issue.message.endswith((".", "?")) for issue in found)
    return [(issue.code, issue.path) for issue in found]


def output(found: ResolvedPlan, name: str) -> OutputColumn:
    """Return a column of the result by its name."""
    return next(column for column in found.outputs if column.name == name)
