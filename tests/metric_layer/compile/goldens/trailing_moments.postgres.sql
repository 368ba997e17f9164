SELECT
  "spans"."bucket" AS "month",
  COUNT(*) AS "visits_28"
FROM "visits" AS "visits"
JOIN (VALUES
  (
    CAST('2026-01-01' AS DATE),
    CAST('2026-01-03 23:00:00+00:00' AS TIMESTAMPTZ),
    CAST('2026-01-31 23:00:00+00:00' AS TIMESTAMPTZ)
  ),
  (
    CAST('2026-02-01' AS DATE),
    CAST('2026-01-31 23:00:00+00:00' AS TIMESTAMPTZ),
    CAST('2026-02-28 23:00:00+00:00' AS TIMESTAMPTZ)
  ),
  (
    CAST('2026-03-01' AS DATE),
    CAST('2026-03-03 23:00:00+00:00' AS TIMESTAMPTZ),
    CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMPTZ)
  )) AS "spans"("bucket", "start", "end")
  ON "visits"."visited_at" >= "spans"."start"
  AND "visits"."visited_at" < "spans"."end"
WHERE
  "visits"."visited_at" >= CAST('2026-01-03 23:00:00+00:00' AS TIMESTAMPTZ)
  AND "visits"."visited_at" < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMPTZ)
GROUP BY
  "spans"."bucket"
ORDER BY
  "month" ASC
LIMIT 100
