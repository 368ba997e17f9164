SELECT
  DATE_TRUNC('HOUR', CONVERT_TIMEZONE('America/New_York', 'America/Denver', "visits"."seen_at")) AS "hour",
  COUNT(*) AS "local_visits"
FROM "visits" AS "visits"
WHERE
  "visits"."seen_at" >= CAST('2026-03-29 02:00:00' AS TIMESTAMP)
  AND "visits"."seen_at" < CAST('2026-03-30 02:00:00' AS TIMESTAMP)
GROUP BY
  DATE_TRUNC('HOUR', CONVERT_TIMEZONE('America/New_York', 'America/Denver', "visits"."seen_at"))
ORDER BY
  "hour" ASC
LIMIT 100
