SELECT
  CASE
    WHEN "payments"."paid_on" < CAST('2026-01-27' AS DATE)
    THEN CAST('2026-02-26' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-01-28' AS DATE)
    THEN CAST('2026-02-27' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-01-29' AS DATE)
    THEN CAST('2026-02-28' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-02-02' AS DATE)
    THEN CAST('2026-03-01' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-02-03' AS DATE)
    THEN CAST('2026-03-02' AS DATE)
  END AS "day",
  SUM("payments"."fee") AS "fees_last_month"
FROM "payments" AS "payments"
WHERE
  "payments"."paid_on" >= CAST('2026-01-26' AS DATE)
  AND "payments"."paid_on" < CAST('2026-02-03' AS DATE)
  AND NOT (
    "payments"."paid_on" >= CAST('2026-01-29' AS DATE)
    AND "payments"."paid_on" < CAST('2026-02-01' AS DATE)
  )
GROUP BY
  CASE
    WHEN "payments"."paid_on" < CAST('2026-01-27' AS DATE)
    THEN CAST('2026-02-26' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-01-28' AS DATE)
    THEN CAST('2026-02-27' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-01-29' AS DATE)
    THEN CAST('2026-02-28' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-02-02' AS DATE)
    THEN CAST('2026-03-01' AS DATE)
    WHEN "payments"."paid_on" < CAST('2026-02-03' AS DATE)
    THEN CAST('2026-03-02' AS DATE)
  END
ORDER BY
  "day" ASC
LIMIT 100
