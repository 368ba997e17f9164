SELECT
  `parts`.`month` AS `month`,
  `parts`.`country` AS `country`,
  CAST(CAST(COALESCE(MAX(`parts`.`visit_count`), 0) AS BIGNUMERIC) / NULLIF(MAX(`parts`.`visit_count__2`), 0) AS BIGNUMERIC) AS `conversion_rate`
FROM (
  SELECT
    CAST(DATE_TRUNC(CAST(DATETIME(`visits`.`visited_at`, 'Europe/Berlin') AS DATE), MONTH) AS DATE) AS `month`,
    `people`.`country` AS `country`,
    COUNT(*) AS `visit_count`
  FROM `visits` AS `visits`
  LEFT JOIN `people` AS `people`
    ON `visits`.`visitor` = `people`.`person_id`
  WHERE
    `visits`.`visited_at` >= CAST('2025-12-31 23:00:00+00:00' AS TIMESTAMP)
    AND `visits`.`visited_at` < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMP)
    AND EXISTS(
      SELECT
        1
      FROM `signups` AS `signups`
      WHERE
        `signups`.`person` = `visits`.`visitor`
        AND `signups`.`page` = `visits`.`page`
        AND `signups`.`signed_at` >= `visits`.`visited_at`
        AND `signups`.`signed_at` < TIMESTAMP(
          DATETIME(`visits`.`visited_at`, 'Europe/Berlin') + INTERVAL '7' DAY,
          'Europe/Berlin'
        )
        AND (
          `signups`.`plan_name` IS NULL OR `signups`.`plan_name` <> 'free'
        )
    )
  GROUP BY
    CAST(DATE_TRUNC(CAST(DATETIME(`visits`.`visited_at`, 'Europe/Berlin') AS DATE), MONTH) AS DATE),
    `people`.`country`
  FULL OUTER UNION ALL BY NAME
  SELECT
    CAST(DATE_TRUNC(CAST(DATETIME(`visits`.`visited_at`, 'Europe/Berlin') AS DATE), MONTH) AS DATE) AS `month`,
    `people`.`country` AS `country`,
    COUNT(*) AS `visit_count__2`
  FROM `visits` AS `visits`
  LEFT JOIN `people` AS `people`
    ON `visits`.`visitor` = `people`.`person_id`
  WHERE
    `visits`.`visited_at` >= CAST('2025-12-31 23:00:00+00:00' AS TIMESTAMP)
    AND `visits`.`visited_at` < CAST('2026-03-31 22:00:00+00:00' AS TIMESTAMP)
  GROUP BY
    CAST(DATE_TRUNC(CAST(DATETIME(`visits`.`visited_at`, 'Europe/Berlin') AS DATE), MONTH) AS DATE),
    `people`.`country`
) AS `parts`
GROUP BY
  `month`,
  `country`
ORDER BY
  `month` ASC NULLS LAST,
  `country` ASC NULLS LAST
LIMIT 100
