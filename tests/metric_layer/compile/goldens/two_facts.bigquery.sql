SELECT
  `parts`.`month` AS `month`,
  CAST(CAST(MAX(`parts`.`fees`) AS BIGNUMERIC) / NULLIF(MAX(`parts`.`payments_made`), 0) AS BIGNUMERIC) AS `fee_each`,
  MAX(`parts`.`visit_count`) AS `visit_count`
FROM (
  SELECT
    CAST(DATE_TRUNC(`payments`.`paid_on`, MONTH) AS DATE) AS `month`,
    SUM(`payments`.`fee`) AS `fees`,
    COUNT(*) AS `payments_made`
  FROM `payments` AS `payments`
  WHERE
    `payments`.`paid_on` >= CAST('2026-01-01' AS DATE)
    AND `payments`.`paid_on` < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC(`payments`.`paid_on`, MONTH) AS DATE)
  FULL OUTER UNION ALL BY NAME
  SELECT
    CAST(DATE_TRUNC(CAST(DATETIME(`visits`.`visited_at`, 'Europe/Berlin') AS DATE), MONTH) AS DATE) AS `month`,
    COUNT(*) AS `visit_count`
  FROM `visits` AS `visits`
  WHERE
    `visits`.`visited_at` >= CAST('2025-12-31 23:00:00+00:00' AS TIMESTAMP)
    AND `visits`.`visited_at` < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMP)
  GROUP BY
    CAST(DATE_TRUNC(CAST(DATETIME(`visits`.`visited_at`, 'Europe/Berlin') AS DATE), MONTH) AS DATE)
) AS `parts`
GROUP BY
  `month`
ORDER BY
  `month` ASC NULLS LAST
LIMIT 100
