SELECT
  "parts"."month" AS "month",
  CAST(CAST(MAX("parts"."fees") * CAST(100000000000 AS INT128) AS INT128) // NULLIF(MAX("parts"."payments_made"), 0) * 0.00000000001 AS DECIMAL(38, 10)) AS "fee_each"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
    SUM("payments"."fee") AS "fees",
    COUNT(*) AS "payments_made"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE)
  UNION ALL BY NAME
  SELECT
    "spine"."month" AS "month"
  FROM (VALUES
    (CAST('2026-01-01' AS DATE)),
    (CAST('2026-02-01' AS DATE)),
    (CAST('2026-03-01' AS DATE))) AS "spine"("month")
) AS "parts"
GROUP BY
  "parts"."month"
ORDER BY
  "month" ASC
LIMIT 100
