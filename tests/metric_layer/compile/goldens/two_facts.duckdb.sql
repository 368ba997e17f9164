SELECT
  "parts"."month" AS "month",
  CAST(CAST(MAX("parts"."fees") * CAST(100000000000 AS INT128) AS INT128) // NULLIF(MAX("parts"."payments_made"), 0) * 0.00000000001 AS DECIMAL(38, 10)) AS "fee_each",
  MAX("parts"."visit_count") AS "visit_count"
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
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "month",
    COUNT(*) AS "visit_count"
  FROM "visits" AS "visits"
  WHERE
    "visits"."visited_at" >= CAST('2025-12-31 23:00:00+00:00' AS TIMESTAMPTZ)
    AND "visits"."visited_at" < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMPTZ)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE)
) AS "parts"
GROUP BY
  "parts"."month"
ORDER BY
  "month" ASC
LIMIT 100
