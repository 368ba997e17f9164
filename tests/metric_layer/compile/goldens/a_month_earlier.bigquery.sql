SELECT
  `parts`.`month` AS `month`,
  `parts`.`branch` AS `branch`,
  CAST(CAST((
    MAX(`parts`.`fees__2`) - MAX(`parts`.`fees`)
  ) AS BIGNUMERIC) / NULLIF(MAX(`parts`.`fees`), 0) AS BIGNUMERIC) AS `fees_growth`
FROM (
  SELECT
    CAST(DATE_TRUNC(`payments`.`paid_on` + INTERVAL '1' MONTH, MONTH) AS DATE) AS `month`,
    `accounts`.`branch` AS `branch`,
    SUM(`payments`.`fee`) AS `fees`
  FROM `payments` AS `payments`
  LEFT JOIN `accounts` AS `accounts`
    ON `payments`.`account_id` = `accounts`.`account_id`
  WHERE
    `payments`.`paid_on` >= CAST('2025-12-01' AS DATE)
    AND `payments`.`paid_on` < CAST('2026-03-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC(`payments`.`paid_on` + INTERVAL '1' MONTH, MONTH) AS DATE),
    `accounts`.`branch`
  FULL OUTER UNION ALL BY NAME
  SELECT
    CAST(DATE_TRUNC(`payments`.`paid_on`, MONTH) AS DATE) AS `month`,
    `accounts`.`branch` AS `branch`,
    SUM(`payments`.`fee`) AS `fees__2`
  FROM `payments` AS `payments`
  LEFT JOIN `accounts` AS `accounts`
    ON `payments`.`account_id` = `accounts`.`account_id`
  WHERE
    `payments`.`paid_on` >= CAST('2026-01-01' AS DATE)
    AND `payments`.`paid_on` < CAST('2026-04-01' AS DATE)
  GROUP BY
    CAST(DATE_TRUNC(`payments`.`paid_on`, MONTH) AS DATE),
    `accounts`.`branch`
) AS `parts`
GROUP BY
  `month`,
  `branch`
ORDER BY
  `month` ASC NULLS LAST,
  `branch` ASC NULLS LAST
LIMIT 100
