SELECT
  "parts"."day" AS "day",
  CASE WHEN MAX("parts"."_rows_1") IS NULL THEN 0 ELSE MAX("parts"."fees") END AS "fees",
  CASE
    WHEN MAX("parts"."_rows_2") IS NULL
    AND NOT "parts"."day" IN (
      CAST('2026-03-29' AS DATE),
      CAST('2026-03-30' AS DATE),
      CAST('2026-03-31' AS DATE)
    )
    THEN 0
    ELSE MAX("parts"."fees__2")
  END AS "fees_last_month"
FROM (
  SELECT
    "payments"."paid_on" AS "day",
    SUM("payments"."fee") AS "fees",
    1 AS "_rows_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-03-28' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    "payments"."paid_on"
  UNION ALL BY NAME
  SELECT
    CAST("payments"."paid_on" + INTERVAL '28' DAY AS DATE) AS "day",
    SUM("payments"."fee") AS "fees__2",
    1 AS "_rows_2"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-02-28' AS DATE)
    AND "payments"."paid_on" < CAST('2026-03-01' AS DATE)
  GROUP BY
    CAST("payments"."paid_on" + INTERVAL '28' DAY AS DATE)
  UNION ALL BY NAME
  SELECT
    "spine"."day" AS "day"
  FROM (VALUES
    (CAST('2026-03-28' AS DATE)),
    (CAST('2026-03-29' AS DATE)),
    (CAST('2026-03-30' AS DATE)),
    (CAST('2026-03-31' AS DATE))) AS "spine"("day")
) AS "parts"
GROUP BY
  "parts"."day"
ORDER BY
  "day" ASC
LIMIT 100
