SELECT
  "parts"."month" AS "month",
  "parts"."branch" AS "branch",
  MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END) AS "balance",
  MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END) AS "balance_each"
FROM (
  SELECT
    "balances"."bucket" AS "month",
    "accounts"."branch" AS "branch",
    1 AS "_part",
    CAST(SUM("balances"."amount") AS DECIMAL) AS "_decimal_1"
  FROM (
    SELECT
      "balances"."amount" AS "amount",
      "balances"."account_id" AS "account_id",
      CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE) AS "bucket",
      RANK() OVER (
        PARTITION BY CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE)
        ORDER BY "balances"."balance_date" DESC NULLS LAST
      ) AS "moment"
    FROM "balances" AS "balances"
    WHERE
      "balances"."balance_date" >= CAST('2026-01-01' AS DATE)
      AND "balances"."balance_date" < CAST('2026-04-01' AS DATE)
  ) AS "balances"
  LEFT JOIN "accounts" AS "accounts"
    ON "balances"."account_id" = "accounts"."account_id"
  WHERE
    "balances"."moment" = 1
  GROUP BY
    "balances"."bucket",
    "accounts"."branch"
  UNION ALL
  SELECT
    "balances"."bucket" AS "month",
    "accounts"."branch" AS "branch",
    2 AS "_part",
    CAST(SUM("balances"."amount") AS DECIMAL) AS "_decimal_1"
  FROM (
    SELECT
      "balances"."amount" AS "amount",
      "balances"."account_id" AS "account_id",
      CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE) AS "bucket",
      RANK() OVER (
        PARTITION BY CAST(DATE_TRUNC('MONTH', "balances"."balance_date") AS DATE), "accounts"."account_id"
        ORDER BY "balances"."balance_date" DESC NULLS LAST
      ) AS "moment"
    FROM "balances" AS "balances"
    LEFT JOIN "accounts" AS "accounts"
      ON "balances"."account_id" = "accounts"."account_id"
    WHERE
      "balances"."balance_date" >= CAST('2026-01-01' AS DATE)
      AND "balances"."balance_date" < CAST('2026-04-01' AS DATE)
  ) AS "balances"
  LEFT JOIN "accounts" AS "accounts"
    ON "balances"."account_id" = "accounts"."account_id"
  WHERE
    "balances"."moment" = 1
  GROUP BY
    "balances"."bucket",
    "accounts"."branch"
) AS "parts"
GROUP BY
  "parts"."month",
  "parts"."branch"
ORDER BY
  "month" ASC,
  CAST("parts"."branch" AS TEXT) COLLATE "C" ASC
LIMIT 100
