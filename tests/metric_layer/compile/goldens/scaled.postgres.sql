SELECT
  MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END) AS "paid_usd",
  MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END) AS "paid_eur"
FROM (
  SELECT
    1 AS "_part",
    CAST(SUM((
      "payments"."cents" * CAST(0.01 AS DECIMAL(3, 2))
    )) AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
    AND "payments"."currency" = 'USD'
  UNION ALL
  SELECT
    2 AS "_part",
    CAST(SUM((
      "payments"."cents" * CAST(0.01 AS DECIMAL(3, 2))
    )) AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
    AND "payments"."currency" IN ('EUR')
) AS "parts"
LIMIT 100
