SELECT
  "parts"."month" AS "month",
  "parts"."branch" AS "branch",
  CAST(CAST((
    MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END) - MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END)
  ) AS DECIMAL(58, 20)) / NULLIF(MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END), 0) AS DECIMAL(38, 10)) AS "fees_growth"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '1 MONTH') AS DATE) AS "month",
    "accounts"."branch" AS "branch",
    1 AS "_part",
    CAST(SUM("payments"."fee") AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  LEFT JOIN "accounts" AS "accounts"
    ON "payments"."account_id" = "accounts"."account_id"
  WHERE
    "payments"."paid_on" >= CAST('2025-12-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-03-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '1 MONTH') AS DATE),
    "accounts"."branch"
  UNION ALL
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
    "accounts"."branch" AS "branch",
    2 AS "_part",
    CAST(SUM("payments"."fee") AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  LEFT JOIN "accounts" AS "accounts"
    ON "payments"."account_id" = "accounts"."account_id"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE),
    "accounts"."branch"
) AS "parts"
GROUP BY
  "parts"."month",
  "parts"."branch"
ORDER BY
  "month" ASC,
  CAST("parts"."branch" AS TEXT) COLLATE "C" ASC
LIMIT 100
