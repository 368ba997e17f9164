SELECT
  "parts"."month" AS "month",
  "parts"."branch" AS "branch",
  CASE
    WHEN MAX(CASE WHEN "parts"."_part" = 1 THEN 1 END) IS NULL
    THEN 0
    ELSE MAX("parts"."fees")
  END AS "fees",
  CASE
    WHEN MAX(CASE WHEN "parts"."_part" = 1 THEN 1 END) IS NULL
    THEN 0
    ELSE MAX("parts"."payments_made")
  END AS "payments_made"
FROM (
  WITH "found" AS (
    SELECT
      CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
      "accounts"."branch" AS "branch",
      1 AS "_part",
      SUM("payments"."fee") AS "fees",
      COUNT(*) AS "payments_made"
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
    "found"."_part" AS "_part",
    "found"."fees" AS "fees",
    "found"."payments_made" AS "payments_made"
  FROM "found"
  UNION ALL
  SELECT
    "spine"."month" AS "month",
    "groups"."branch" AS "branch",
    CAST(NULL AS BIGINT) AS "_part",
    CAST(NULL AS DECIMAL(38, 10)) AS "fees",
    CAST(NULL AS BIGINT) AS "payments_made"
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
  CAST("parts"."branch" AS TEXT) COLLATE "C" ASC
LIMIT 100
