SELECT
  "payments"."currency" AS "currency",
  PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY
    "payments"."fee" ASC) * 0.5 + PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY
    "payments"."fee" DESC NULLS LAST) * 0.5 AS "fee_median",
  PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY
    "payments"."fee" ASC) AS "fee_p90",
  APPROX_COUNT_DISTINCT("payments"."account_id") AS "payers"
FROM "payments" AS "payments"
GROUP BY
  "payments"."currency"
ORDER BY
  "currency" ASC
LIMIT 100
