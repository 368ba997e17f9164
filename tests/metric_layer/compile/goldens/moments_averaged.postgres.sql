SELECT
  "balances"."bucket" AS "month",
  "accounts"."branch" AS "branch",
  CAST(CAST(SUM("balances"."amount") AS DECIMAL(58, 20)) / NULLIF(MAX("balances"."moment"), 0) AS DECIMAL(38, 10)) AS "balance_mean"
FROM (
  SELECT
    "balances"."amount" AS "amount",
    "balances"."account_id" AS "account_id",
    CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE) AS "bucket",
    DENSE_RANK() OVER (
      PARTITION BY CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE)
      ORDER BY "balances"."balance_date" ASC
    ) + DENSE_RANK() OVER (
      PARTITION BY CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE)
      ORDER BY "balances"."balance_date" DESC NULLS LAST
    ) - 1 AS "moment"
  FROM "balances" AS "balances"
  WHERE
    "balances"."balance_date" >= CAST('2026-01-01' AS DATE)
    AND "balances"."balance_date" < CAST('2026-04-01' AS DATE)
) AS "balances"
LEFT JOIN "accounts" AS "accounts"
  ON "balances"."account_id" = "accounts"."account_id"
GROUP BY
  "balances"."bucket",
  "accounts"."branch"
ORDER BY
  "month" ASC,
  CAST("accounts"."branch" AS TEXT) COLLATE "C" ASC
LIMIT 100
