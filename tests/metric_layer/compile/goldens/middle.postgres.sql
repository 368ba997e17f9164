SELECT
  "payments"."currency" AS "currency",
  PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY
    "payments"."fee" ASC) * 0.5 + PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY
    "payments"."fee" DESC NULLS LAST) * 0.5 AS "fee_median",
  PERCENTILE_DISC(0.899999999999) WITHIN GROUP (ORDER BY
    "payments"."fee" ASC) AS "fee_p90",
  COUNT(DISTINCT "payments"."account_id") AS "payers"
FROM "payments" AS "payments"
GROUP BY
  "payments"."currency"
ORDER BY
  CAST("payments"."currency" AS TEXT) COLLATE "C" ASC
LIMIT 100
