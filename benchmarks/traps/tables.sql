-- The tables of the trap suite. Plain SQL: any engine loads them. Every oddity is here on purpose.
CREATE TABLE customers (customer_id INTEGER, name VARCHAR(50), region VARCHAR(50));
-- South has a customer and no order; Mia never said where she lives.
INSERT INTO customers VALUES
  (1, 'Ada', 'East'), (2, 'Ben', 'East'), (3, 'Cem', 'West'), (4, 'Dot', 'North'), (5, 'Mia', NULL), (6, 'Sol', 'South');
CREATE TABLE orders (
  order_id INTEGER, customer_id INTEGER, payer_id INTEGER, order_date DATE, status VARCHAR(20),
  shipping_fee DECIMAL(10, 2), refund DECIMAL(10, 2));
-- Equal fees, an order of a customer who is gone (99), one without lines (8), one whose status is not known.
INSERT INTO orders VALUES
  (1, 1, 3, DATE '2026-01-05', 'completed', 10.00, 0.00), (2, 1, 1, DATE '2026-01-31', 'completed', 10.00, 20.00),
  (3, 2, 2, DATE '2026-02-03', 'cancelled', 10.00, 0.00), (4, 2, 3, DATE '2026-02-28', 'completed', 10.00, 10.00),
  (5, 3, 1, DATE '2026-03-01', 'completed', 10.00, 0.00), (6, 3, 3, DATE '2026-03-31', NULL, 20.00, 5.00),
  (7, 99, 2, DATE '2026-03-31', 'completed', 10.00, 0.00), (8, 5, 5, DATE '2026-04-30', 'completed', 10.00, 0.00);
CREATE TABLE order_lines (line_id INTEGER, order_id INTEGER, product_id INTEGER, quantity INTEGER, unit_price DECIMAL(10, 2));
INSERT INTO order_lines VALUES
  (1, 1, 1, 2, 50.00), (2, 1, 2, 1, 100.00), (3, 2, 1, 1, 50.00), (4, 2, 3, 5, 10.00), (5, 3, 2, 2, 100.00),
  (6, 4, 1, 4, 50.00), (7, 5, 1, 1, 50.00), (8, 5, 2, 1, 100.00), (9, 5, 3, 3, 10.00), (10, 6, 2, 1, 100.00),
  (11, 7, 1, 2, 50.00);
CREATE TABLE products (product_id INTEGER, product VARCHAR(20), category VARCHAR(20));
INSERT INTO products VALUES (1, 'A', 'tools'), (2, 'B', 'tools'), (3, 'C', NULL);
CREATE TABLE tickets (ticket_id INTEGER, customer_id INTEGER, opened_at TIMESTAMP, severity VARCHAR(10), minutes INTEGER);
-- Written in UTC. Some lie around midnight, around the end of summer time in New York, and on the last second of a day.
INSERT INTO tickets VALUES
  (1, 1, TIMESTAMP '2026-03-31 23:59:59', 'high', 30), (2, 1, TIMESTAMP '2026-04-01 00:00:00', 'low', 60),
  (3, 3, TIMESTAMP '2026-04-21 03:00:00', 'high', 60), (4, 4, TIMESTAMP '2026-11-01 05:30:00', 'low', NULL),
  (5, 4, TIMESTAMP '2026-11-01 06:30:00', 'low', 10), (6, 6, TIMESTAMP '2026-11-02 04:30:00', 'high', 20);
CREATE TABLE balances (account INTEGER, day DATE, amount DECIMAL(10, 2));
-- Account 2 has its last row before the end of the month, account 3 appears late.
INSERT INTO balances VALUES
  (1, DATE '2026-06-29', 80.00), (1, DATE '2026-06-30', 100.00), (2, DATE '2026-06-29', 40.00), (2, DATE '2026-06-30', 60.00),
  (1, DATE '2026-07-30', 110.00), (1, DATE '2026-07-31', 120.00), (2, DATE '2026-07-30', 50.00), (3, DATE '2026-07-31', 7.00);
CREATE TABLE payments (payment_id INTEGER, paid_on DATE, amount DECIMAL(10, 2), currency VARCHAR(3), status VARCHAR(10));
INSERT INTO payments VALUES
  (1, DATE '2026-07-01', 100.00, 'USD', 'done'), (2, DATE '2026-07-02', 990.00, 'USD', 'refused'),
  (3, DATE '2026-07-03', 50.00, 'USD', 'done'), (4, DATE '2026-07-03', 100.00, 'EUR', 'done'),
  (5, DATE '2026-07-05', 10000.00, 'JPY', 'done');
CREATE TABLE people (person INTEGER);
INSERT INTO people VALUES (1), (2), (3), (4);
CREATE TABLE signups (signup_id INTEGER, person INTEGER, signed_on DATE);
INSERT INTO signups VALUES
  (1, 1, DATE '2026-05-01'), (2, 2, DATE '2026-05-02'), (3, 3, DATE '2026-05-03'), (4, 4, DATE '2026-05-04');
CREATE TABLE purchases (purchase_id INTEGER, person INTEGER, bought_on DATE);
-- Person 1 buys twice within a week, person 2 too late, person 3 before signing up.
INSERT INTO purchases VALUES
  (1, 1, DATE '2026-05-02'), (2, 1, DATE '2026-05-03'), (3, 2, DATE '2026-05-20'), (4, 3, DATE '2026-05-01'),
  (5, 4, DATE '2026-05-10');
CREATE TABLE visits (visit_id INTEGER, day DATE, people INTEGER);
-- Around leap days, the ends of months, and the 53rd week of fiscal 2026 (which ends on 2027-01-02).
INSERT INTO visits VALUES
  (1, DATE '2027-02-28', 5), (2, DATE '2028-02-28', 7), (3, DATE '2028-02-29', 11), (4, DATE '2026-03-30', 1),
  (5, DATE '2026-03-31', 10), (6, DATE '2026-04-30', 2), (7, DATE '2026-12-26', 3), (8, DATE '2026-12-30', 4),
  (9, DATE '2027-01-03', 6);
