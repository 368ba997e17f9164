SELECT
  "parts"."month" AS "month",
  "parts"."branch" AS "branch",
  CASE WHEN MAX("parts"."_rows_1") IS NULL THEN 0 ELSE MAX("parts"."fees") END AS "fees",
  CASE
    WHEN MAX("parts"."_rows_1") IS NULL
    THEN 0
    ELSE MAX("parts"."payments_made")
  END AS "payments_made"
FROM (
  WITH "found" AS (
    SELECT
      CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
      "accounts"."branch" AS "branch",
      SUM("payments"."fee") AS "fees",
      COUNT(*) AS "payments_made",
      1 AS "_rows_1"
    FROM "payments" AS "payments"
    LEFT JOIN "accounts" AS "accounts"
      ON "payments"."account_id" = "accounts"."account_id"
    WHERE
      "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
      AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
    GROUP BY
      CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE),
      "accounts"."branch"
  )
  SELECT
    "found"."month" AS "month",
    "found"."branch" AS "branch",
    "found"."fees" AS "fees",
    "found"."payments_made" AS "payments_made",
    "found"."_rows_1" AS "_rows_1"
  FROM "found"
  UNION ALL BY NAME
  SELECT
    "spine"."month" AS "month",
    "groups"."branch" AS "branch"
  FROM (VALUES
    (CAST('2026-01-01' AS DATE)),
    (CAST('2026-02-01' AS DATE)),
    (CAST('2026-03-01' AS DATE))) AS "spine"("month")
  CROSS JOIN (
    SELECT DISTINCT
      "found"."branch" AS "branch"
    FROM "found"
  ) AS "groups"
) AS "parts"
GROUP BY
  "parts"."month",
  "parts"."branch"
ORDER BY
  "month" ASC,
  "branch" ASC
LIMIT 100
