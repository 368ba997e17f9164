-- The shop of the contract suite for a BigQuery project of yours; run by its owner in an empty project.
-- Replace example.com by your domain: the suite asks as ann@ and carl@ of it, who need roles/bigquery.jobUser.
CREATE SCHEMA shop OPTIONS (location = 'EU');
CREATE SCHEMA crm OPTIONS (location = 'EU');
CREATE TABLE shop.orders AS
  SELECT i AS order_id, MOD(i, 100) AS customer_id, DATE_ADD(DATE '2024-01-01', INTERVAL MOD(i, 366) DAY) AS order_date,
         CAST(MOD(i, 1000) AS NUMERIC) AS amount, ['north', 'south', NULL][OFFSET(MOD(i, 3))] AS region
    FROM UNNEST(GENERATE_ARRAY(0, 29999)) AS i;
CREATE TABLE shop.customers AS
  SELECT i AS customer_id, FORMAT('person%d@example.org', i) AS email, ['gold', 'basic'][OFFSET(MOD(i, 2))] AS tier
    FROM UNNEST(GENERATE_ARRAY(0, 99)) AS i;
CREATE TABLE shop.events PARTITION BY DATETIME_TRUNC(event_time, DAY) AS
  SELECT i AS event_id, DATETIME_ADD(DATETIME '2023-01-01', INTERVAL i * 10 MINUTE) AS event_time,
         ['view', 'cart', 'buy'][OFFSET(MOD(i, 3))] AS kind, MOD(i, 977) AS visitor
    FROM UNNEST(GENERATE_ARRAY(0, 99999)) AS i;
CREATE TABLE shop.salaries AS SELECT 'ann' AS name, 90000 AS pay;
CREATE TABLE crm.tickets AS SELECT i AS ticket_id, 'open' AS state FROM UNNEST(GENERATE_ARRAY(0, 9)) AS i;
GRANT `roles/bigquery.dataViewer` ON TABLE shop.orders TO 'user:ann@example.com', 'user:carl@example.com';
GRANT `roles/bigquery.dataViewer` ON TABLE shop.customers TO 'user:ann@example.com';
GRANT `roles/bigquery.dataViewer` ON TABLE shop.events TO 'user:ann@example.com';
GRANT `roles/bigquery.dataViewer` ON TABLE crm.tickets TO 'user:ann@example.com';
CREATE ROW ACCESS POLICY every_row ON shop.orders GRANT TO ('user:ann@example.com') FILTER USING (TRUE);
CREATE ROW ACCESS POLICY north ON shop.orders GRANT TO ('user:carl@example.com') FILTER USING (region = 'north');
-- Then tag with a policy tag of your own, in the console or by `bq update`: orders.customer_id and
-- orders.order_date (fine-grained reader: ann), customers.email (nobody).
