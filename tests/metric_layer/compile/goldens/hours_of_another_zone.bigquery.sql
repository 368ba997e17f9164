SELECT
  DATETIME_TRUNC(
    DATETIME(TIMESTAMP(`visits`.`seen_at`, 'America/New_York'), 'America/Denver'),
    HOUR
  ) AS `hour`,
  COUNT(*) AS `local_visits`
FROM `visits` AS `visits`
WHERE
  `visits`.`seen_at` >= CAST('2026-03-29 02:00:00' AS DATETIME)
  AND `visits`.`seen_at` < CAST('2026-03-30 02:00:00' AS DATETIME)
GROUP BY
  `hour`
ORDER BY
  `hour` ASC NULLS LAST
LIMIT 100
