SELECT
  MAX("parts"."paid") AS "paid_usd",
  MAX("parts"."paid__2") AS "paid_eur"
FROM (
  SELECT
    SUM((
      "payments"."cents" * CAST(0.01 AS DECIMAL(3, 2))
    )) AS "paid"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
    AND "payments"."currency" = 'USD'
  UNION ALL BY NAME
  SELECT
    SUM((
      "payments"."cents" * CAST(0.01 AS DECIMAL(3, 2))
    )) AS "paid__2"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
    AND "payments"."currency" IN ('EUR')
) AS "parts"
LIMIT 100
