SELECT
  "spans"."bucket" AS "month",
  "accounts"."branch" AS "branch",
  SUM("payments"."fee") AS "fees_ever"
FROM "payments" AS "payments"
LEFT JOIN "accounts" AS "accounts"
  ON "payments"."account_id" = "accounts"."account_id"
JOIN (VALUES
  (CAST('2026-01-01' AS DATE), CAST('2026-02-01' AS DATE)),
  (CAST('2026-02-01' AS DATE), CAST('2026-03-01' AS DATE)),
  (CAST('2026-03-01' AS DATE), CAST('2026-04-01' AS DATE))) AS "spans"("bucket", "end")
  ON "payments"."paid_on" < "spans"."end"
WHERE
  "payments"."paid_on" < CAST('2026-04-01' AS DATE)
GROUP BY
  "spans"."bucket",
  "accounts"."branch"
ORDER BY
  "month" ASC,
  "branch" ASC
LIMIT 100
