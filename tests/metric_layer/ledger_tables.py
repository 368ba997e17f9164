"""Rows for the ledger, few enough to count by hand: gaps, orphans, ties, nights of moved clocks."""

LEDGER_TABLES = """
CREATE TABLE accounts (account_id INTEGER, branch VARCHAR, city VARCHAR);
INSERT INTO accounts VALUES (1, 'north', 'Kiel'), (2, 'north', 'Bonn'), (3, 'south', NULL), (4, NULL, 'Ulm');
CREATE TABLE balances (account_id INTEGER, balance_date DATE, booked_on DATE, amount DECIMAL(12, 2));
INSERT INTO balances VALUES
  (1, '2026-01-30', '2026-01-30', 100), (1, '2026-01-31', '2026-02-01', 110), (2, '2026-01-30', NULL, 200),
  (3, '2026-01-31', '2026-01-31', 50), (9, '2026-01-31', NULL, 7), (1, '2026-02-27', '2026-02-27', 120),
  (2, '2026-02-28', '2026-02-28', 210), (2, '2026-02-28', '2026-02-28', 5), (3, '2026-02-28', NULL, NULL),
  (4, NULL, NULL, 1000);
CREATE TABLE payments (
  account_id INTEGER, paid_on DATE, currency VARCHAR, cents INTEGER, fee DECIMAL(10, 2),
  rate DOUBLE PRECISION);
INSERT INTO payments VALUES
  (1, '2025-12-31', 'EUR', 150, 1, 0.5), (1, '2026-01-31', 'EUR', 2000000001, 2, 1.5),
  (2, '2026-02-01', 'USD', 1, 4, 2.5), (3, '2026-02-28', 'EUR', NULL, 8, 3.5),
  (2, '2026-03-31', 'EUR', 2000000003, 16, NULL), (2, '2026-03-31', 'USD', 333, NULL, 4.5),
  (9, '2026-04-30', 'EUR', 7, 32, 5.5), (1, NULL, 'USD', 5, 64, 6.5);
CREATE TABLE people (person_id INTEGER, country VARCHAR);
INSERT INTO people VALUES (1, 'DE'), (2, 'DE'), (3, 'FR'), (4, NULL), (5, 'FR'), (6, 'FR'), (7, 'DE');
CREATE TABLE pages (page VARCHAR);
INSERT INTO pages VALUES ('a'), ('b');
CREATE TABLE visits (
  visitor INTEGER, account_id INTEGER, page VARCHAR, visited_at TIMESTAMPTZ, seen_at TIMESTAMP);
INSERT INTO visits VALUES
  (11, NULL, 'a', '2026-03-28 22:59:59.5+00:00', '2026-03-28 18:59:59.5'),
  (12, NULL, 'a', '2026-03-28 23:00:00+00:00', '2026-03-28 19:00:00'),
  (13, NULL, 'b', '2026-03-29 21:59:59.5+00:00', '2026-03-29 17:59:59.5'),
  (14, NULL, 'b', '2026-03-29 22:00:00+00:00', '2026-03-29 18:00:00'),
  (15, NULL, 'a', '2026-10-24 22:00:00+00:00', '2026-10-24 18:00:00'),
  (16, NULL, 'a', '2026-10-25 00:30:00+00:00', '2026-10-24 20:30:00'),
  (17, NULL, 'a', '2026-10-25 01:30:00+00:00', '2026-10-24 21:30:00'),
  (18, NULL, 'a', '2026-10-25 23:00:00+00:00', '2026-10-25 19:00:00'),
  (19, NULL, 'a', NULL, NULL),
  (1, NULL, 'a', '2026-05-01 10:00:00+00:00', NULL), (2, NULL, 'a', '2026-05-01 10:00:00+00:00', NULL),
  (3, NULL, 'a', '2026-05-01 10:00:00+00:00', NULL), (4, NULL, 'a', '2026-05-01 10:00:00+00:00', NULL),
  (5, NULL, 'a', '2026-05-02 10:00:00+00:00', NULL), (6, NULL, 'a', '2026-05-01 10:00:00+00:00', NULL),
  (7, NULL, 'b', '2026-05-01 10:00:00+00:00', NULL), (NULL, NULL, 'a', '2026-05-01 10:00:00+00:00', NULL);
CREATE TABLE signups (
  person INTEGER, account_id INTEGER, page VARCHAR, plan_name VARCHAR, signed_at TIMESTAMPTZ, signed_on DATE);
INSERT INTO signups VALUES
  (1, NULL, 'a', 'pro', '2026-05-08 09:59:59+00:00', '2026-05-08'),
  (2, NULL, 'a', 'pro', '2026-05-08 10:00:00+00:00', '2026-05-08'),
  (3, NULL, 'b', 'pro', '2026-05-02 10:00:00+00:00', '2026-05-02'),
  (4, NULL, 'a', 'pro', '2026-05-01 10:00:00+00:00', '2026-05-01'),
  (4, NULL, 'a', 'pro', '2026-05-03 10:00:00+00:00', '2026-05-03'),
  (5, NULL, 'a', 'pro', '2026-05-01 10:00:00+00:00', '2026-05-01'),
  (6, NULL, 'a', 'free', '2026-05-02 10:00:00+00:00', '2026-05-02'),
  (7, NULL, 'b', NULL, '2026-05-02 10:00:00+00:00', '2026-05-02'),
  (NULL, NULL, 'a', 'pro', '2026-05-02 10:00:00+00:00', '2026-05-02');
CREATE TABLE hits (hit_on DATE);
"""
