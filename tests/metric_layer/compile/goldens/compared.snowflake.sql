SELECT
  "parts"."month" AS "month",
  MAX("parts"."fees") AS "fees",
  MAX("parts"."fees__2") AS "fees__previous",
  MAX("parts"."fees") - MAX("parts"."fees__2") AS "fees__change",
  CAST(CAST((
    MAX("parts"."fees") - MAX("parts"."fees__2")
  ) AS DECIMAL(38, 10)) / NULLIF(MAX("parts"."fees__2"), 0) AS DECIMAL(38, 10)) AS "fees__growth"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE) AS "month",
    SUM("payments"."fee") AS "fees"
  FROM "payments" AS "payments"
  WHERE
    "payments"."paid_on" >= CAST('2026-01-01' AS DATE)
    AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on") AS DATE)
  UNION ALL BY NAME
  SELECT
    CAST(DATE_TRUNC('MONTH', "payments"."paid_on" + INTERVAL '12 MONTH') AS DATE) AS "month",
    SUM("payments"."fee") AS "fees__2"
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
