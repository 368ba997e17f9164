SELECT
  "parts"."month" AS "month",
  "parts"."country" AS "country",
  CAST(CAST(COALESCE(MAX(CASE WHEN "parts"."_part" = 1 THEN "parts"."_integer_1" END), 0) AS DECIMAL(58, 20)) / NULLIF(MAX(CASE WHEN "parts"."_part" = 2 THEN "parts"."_integer_1" END), 0) AS DECIMAL(38, 10)) AS "conversion_rate"
FROM (
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "month",
    "people"."country" AS "country",
    1 AS "_part",
    COUNT(*) AS "_integer_1"
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
          "visits"."visited_at" AT TIME ZONE 'Europe/Berlin' + INTERVAL '7 DAY'
        ) AT TIME ZONE 'Europe/Berlin'
        AND (
          "signups"."plan_name" IS NULL OR "signups"."plan_name" <> 'free'
        )
    )
  GROUP BY
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE),
    "people"."country"
  UNION ALL
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST("visits"."visited_at" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "month",
    "people"."country" AS "country",
    2 AS "_part",
    COUNT(*) AS "_integer_1"
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
  CAST("parts"."country" AS TEXT) COLLATE "C" ASC
LIMIT 100
