SELECT
  "parts"."day" AS "day",
  CASE
    WHEN MAX(CASE WHEN "parts"."_part" = 1 THEN 1 END) IS NULL
    THEN 0
    ELSE MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_decimal_1" END)
  END AS "fees",
  CASE
    WHEN MAX(CASE WHEN "parts"."_part" = 2 THEN 1 END) IS NULL
    AND NOT "parts"."day" IN (
      CAST('2026-03-29' AS DATE),
      CAST('2026-03-30' AS DATE),
      CAST('2026-03-31' AS DATE)
    )
    THEN 0
    ELSE MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_decimal_1" END)
  END AS "fees_last_month"
FROM (
  SELECT
    "payments"."paid_on" AS "day",
    1 AS "_part",
    CAST(SUM("payments"."fee") AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-03-28' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    "payments"."paid_on"
  UNION ALL
  SELECT
    CAST("payments"."paid_on" + INTERVAL '28 DAY' AS DATE) AS "day",
    2 AS "_part",
    CAST(SUM("payments"."fee") AS DECIMAL) AS "_decimal_1"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-02-28' AS DATE)
    AND "payments"."paid_on" < CAST('2026-03-01' AS DATE)
  GROUP BY
    CAST("payments"."paid_on" + INTERVAL '28 DAY' AS DATE)
  UNION ALL
  SELECT
    "spine"."day" AS "day",
    CAST(NULL AS BIGINT) AS "_part",
    CAST(NULL AS DECIMAL(38, 10)) AS "_decimal_1"
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
