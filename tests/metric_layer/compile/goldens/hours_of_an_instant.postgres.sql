SELECT
  DATE_TRUNC('HOUR', "visits"."visited_at" AT TIME ZONE 'America/Denver') AS "hour",
  COUNT(*) AS "visit_count"
FROM "visits" AS "visits"
WHERE
  "visits"."visited_at" >= CAST('2026-03-29 06:00:00+00:00' AS TIMESTAMPTZ)
  AND "visits"."visited_at" < CAST('2026-03-30 06:00:00+00:00' AS TIMESTAMPTZ)
GROUP BY
  DATE_TRUNC('HOUR', "visits"."visited_at" AT TIME ZONE 'America/Denver')
ORDER BY
  "hour" ASC
LIMIT 100
