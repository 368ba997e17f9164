SELECT
  "parts"."month" AS "month",
  MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END) AS "fees",
  MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END) AS "fees__previous",
  MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END) - MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END) AS "fees__change",
  CAST(CAST((
    MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END) - MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END)
  ) AS DECIMAL(58, 20)) / NULLIF(MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END), 0) AS DECIMAL(38, 10)) AS "fees__growth"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
    1 AS "_part",
    CAST(SUM("payments"."fee") AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE)
  UNION ALL
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '12 MONTH') AS DATE) AS "month",
    2 AS "_part",
    CAST(SUM("payments"."fee") AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2025-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2025-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '12 MONTH') AS DATE)
) AS "parts"
GROUP BY
  "parts"."month"
ORDER BY
  "month" ASC
LIMIT 100
