SELECT
  `spans`.`bucket` AS `month`,
  `accounts`.`branch` AS `branch`,
  SUM(`payments`.`fee`) AS `fees_ever`
FROM `payments` AS `payments`
LEFT JOIN `accounts` AS `accounts`
  ON `payments`.`account_id` = `accounts`.`account_id`
JOIN (
  SELECT
    `spans`.`bucket` AS `bucket`,
    `spans`.`end` AS `end`
  FROM UNNEST([
    STRUCT(CAST('2026-01-01' AS DATE) AS `bucket`, CAST('2026-02-01' AS DATE) AS `end`),
    STRUCT(CAST('2026-02-01' AS DATE) AS `bucket`, CAST('2026-03-01' AS DATE) AS `end`),
    STRUCT(CAST('2026-03-01' AS DATE) AS `bucket`, CAST('2026-04-01' AS DATE) AS `end`)
  ]) AS `spans`
) AS `spans`
  ON `payments`.`paid_on` < `spans`.`end`
WHERE
  `payments`.`paid_on` < CAST('2026-04-01' AS DATE)
GROUP BY
  `month`,
  `branch`
ORDER BY
  `month` ASC NULLS LAST,
  `branch` ASC NULLS LAST
LIMIT 100
