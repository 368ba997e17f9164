SELECT
  "parts"."month" AS "month",
  CAST(CAST(MAX("parts"."fees") AS DECIMAL(58, 20)) / NULLIF(MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_integer_1" END), 0) AS DECIMAL(38, 10)) AS "fee_each",
  MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_integer_1" END) AS "visit_count"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
    1 AS "_part",
    SUM("payments"."fee") AS "fees",
    COUNT(*) AS "_integer_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE)
  UNION ALL
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "month",
    2 AS "_part",
    CAST(NULL AS DECIMAL(38, 10)) AS "fees",
    COUNT(*) AS "_integer_1"
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
