SELECT
  `spans`.`bucket` AS `month`,
  COUNT(*) AS `visits_28`
FROM `visits` AS `visits`
JOIN (
  SELECT
    `spans`.`bucket` AS `bucket`,
    `spans`.`start` AS `start`,
    `spans`.`end` AS `end`
  FROM UNNEST([
    STRUCT(
      CAST('2026-01-01' AS DATE) AS `bucket`,
      CAST('2026-01-03 23:00:00+00:00' AS TIMESTAMP) AS `start`,
      CAST('2026-01-31 23:00:00+00:00' AS TIMESTAMP) AS `end`
    ),
    STRUCT(
      CAST('2026-02-01' AS DATE) AS `bucket`,
      CAST('2026-01-31 23:00:00+00:00' AS TIMESTAMP) AS `start`,
      CAST('2026-02-28 23:00:00+00:00' AS TIMESTAMP) AS `end`
    ),
    STRUCT(
      CAST('2026-03-01' AS DATE) AS `bucket`,
      CAST('2026-03-03 23:00:00+00:00' AS TIMESTAMP) AS `start`,
      CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMP) AS `end`
    )
  ]) AS `spans`
) AS `spans`
  ON `visits`.`visited_at` >= `spans`.`start`
  AND `visits`.`visited_at` < `spans`.`end`
WHERE
  `visits`.`visited_at` >= CAST('2026-01-03 23:00:00+00:00' AS TIMESTAMP)
  AND `visits`.`visited_at` < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMP)
GROUP BY
  `month`
ORDER BY
  `month` ASC NULLS LAST
LIMIT 100
