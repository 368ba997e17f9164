SELECT
  "spans"."bucket" AS "month",
  CAST(CAST(SUM("payments"."fee") * CAST(100000000000 AS INT128) AS INT128) // NULLIF(COUNT(*), 0) * 0.00000000001 AS DECIMAL(38, 10)) AS "fee_each_28"
FROM "payments" AS "payments"
JOIN (VALUES
  (
    CAST('2026-01-01' AS DATE),
    CAST('2026-01-04' AS DATE),
    CAST('2026-02-01' AS DATE)
  ),
  (
    CAST('2026-02-01' AS DATE),
    CAST('2026-02-01' AS DATE),
    CAST('2026-03-01' AS DATE)
  ),
  (
    CAST('2026-03-01' AS DATE),
    CAST('2026-03-04' AS DATE),
    CAST('2026-04-01' AS DATE)
  )) AS "spans"("bucket", "start", "end")
  ON "payments"."paid_on" >= "spans"."start" AND "payments"."paid_on" < "spans"."end"
WHERE
  "payments"."paid_on" >= CAST('2026-01-04' AS DATE)
  AND "payments"."paid_on" < CAST('2026-04-01' AS DATE)
GROUP BY
  "spans"."bucket"
ORDER BY
  "month" ASC
LIMIT 100
