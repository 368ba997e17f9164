SELECT
  DATE_TRUNC(
    'HOUR',
    "visits"."seen_at" AT TIME ZONE 'America/New_York' AT TIME ZONE 'America/Denver'
  ) AS "hour",
  COUNT(*) AS "local_visits"
FROM "visits" AS "visits"
WHERE
  "visits"."seen_at" >= CAST('2026-03-29 02:00:00' AS TIMESTAMP)
  AND "visits"."seen_at" < CAST('2026-03-30 02:00:00' AS TIMESTAMP)
GROUP BY
  DATE_TRUNC(
    'HOUR',
    "visits"."seen_at" AT TIME ZONE 'America/New_York' AT TIME ZONE 'America/Denver'
  )
ORDER BY
  "hour" ASC
LIMIT 100
