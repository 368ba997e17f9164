SELECT
  "parts"."month" AS "month",
  "parts"."branch" AS "branch",
  CAST(CAST((
    MAX("parts"."fees__2") - MAX("parts"."fees")
  ) * CAST(10000000000 AS INT128) AS INT128) * 100000000000 // NULLIF(CAST(MAX("parts"."fees") * CAST(10000000000 AS INT128) AS INT128), 0) * 0.00000000001 AS DECIMAL(38, 10)) AS "fees_growth"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '1' MONTH) AS DATE) AS "month",
    "accounts"."branch" AS "branch",
    SUM("payments"."fee") AS "fees"
  FROM "payments" AS "payments"
  LEFT JOIN "accounts" AS "accounts"
    ON "payments"."account_id" = "accounts"."account_id"
  WHERE
    "payments"."paid_on" >= CAST('2025-12-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-03-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '1' MONTH) AS DATE),
    "accounts"."branch"
  UNION ALL BY NAME
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
    "accounts"."branch" AS "branch",
    SUM("payments"."fee") AS "fees__2"
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
  "branch" ASC
LIMIT 100
