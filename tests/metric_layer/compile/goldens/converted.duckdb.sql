SELECT
  "parts"."month" AS "month",
  "parts"."country" AS "country",
  CAST(CAST(COALESCE(MAX("parts"."visit_count"), 0) * CAST(100000000000 AS INT128) AS INT128) // NULLIF(MAX("parts"."visit_count__2"), 0) * 0.00000000001 AS DECIMAL(38, 10)) AS "conversion_rate"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "month",
    "people"."country" AS "country",
    COUNT(*) AS "visit_count"
  FROM "visits" AS "visits"
  LEFT JOIN "people" AS "people"
    ON "visits"."visitor" = "people"."person_id"
  WHERE
    "visits"."visited_at" >= CAST('2025-12-31 23:00:00+00:00' AS TIMESTAMPTZ)
    AND "visits"."visited_at" < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMPTZ)
    AND EXISTS(
      SELECT
        1
      FROM "signups" AS "signups"
      WHERE
        "signups"."person" = "visits"."visitor"
        AND "signups"."page" = "visits"."page"
        AND "signups"."signed_at" >= "visits"."visited_at"
        AND "signups"."signed_at" < (
          "visits"."visited_at" AT TIME ZONE 'Europe/Berlin' + INTERVAL '7' DAY
        ) AT TIME ZONE 'Europe/Berlin'
        AND (
          "signups"."plan_name" IS NULL OR "signups"."plan_name" <> 'free'
        )
    )
  GROUP BY
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE),
    "people"."country"
  UNION ALL BY NAME
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "month",
    "people"."country" AS "country",
    COUNT(*) AS "visit_count__2"
  FROM "visits" AS "visits"
  LEFT JOIN "people" AS "people"
    ON "visits"."visitor" = "people"."person_id"
  WHERE
    "visits"."visited_at" >= CAST('2025-12-31 23:00:00+00:00' AS TIMESTAMPTZ)
    AND "visits"."visited_at" < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMPTZ)
  GROUP BY
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE),
    "people"."country"
) AS "parts"
GROUP BY
  "parts"."month",
  "parts"."country"
ORDER BY
  "month" ASC,
  "country" ASC
LIMIT 100
