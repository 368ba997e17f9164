SELECT
  "payments"."currency" AS "currency",
  QUANTILE_DISC("payments"."fee", 0.5 ORDER BY "payments"."fee" ASC) * 0.5 + QUANTILE_DISC("payments"."fee", 0.5 ORDER BY "payments"."fee" DESC) * 0.5 AS "fee_median",
  QUANTILE_DISC("payments"."fee", 0.9 ORDER BY "payments"."fee" ASC) AS "fee_p90",
  APPROX_COUNT_DISTINCT("payments"."account_id") AS "payers"
FROM "payments" AS "payments"
GROUP BY
  "payments"."currency"
ORDER BY
  "currency" ASC
LIMIT 100
