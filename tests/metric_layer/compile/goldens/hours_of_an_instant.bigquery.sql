SELECT
  DATETIME_TRUNC(DATETIME(`visits`.`visited_at`, 'America/Denver'), HOUR) AS `hour`,
  COUNT(*) AS `visit_count`
FROM `visits` AS `visits`
WHERE
  `visits`.`visited_at` >= CAST('2026-03-29 06:00:00+00:00' AS TIMESTAMP)
  AND `visits`.`visited_at` < CAST('2026-03-30 06:00:00+00:00' AS TIMESTAMP)
GROUP BY
  `hour`
ORDER BY
  `hour` ASC NULLS LAST
LIMIT 100
