SELECT
  `balances`.`bucket` AS `month`,
  `accounts`.`branch` AS `branch`,
  CAST(CAST(SUM(`balances`.`amount`) AS BIGNUMERIC) / NULLIF(MAX(`balances`.`moment`), 0) AS BIGNUMERIC) AS `balance_mean`
FROM (
  SELECT
    `balances`.`amount` AS `amount`,
    `balances`.`account_id` AS `account_id`,
    CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE) AS `bucket`,
    DENSE_RANK() OVER (
      PARTITION BY CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE)
      ORDER BY `balances`.`balance_date` ASC NULLS LAST
    ) + DENSE_RANK() OVER (
      PARTITION BY CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE)
      ORDER BY `balances`.`balance_date` DESC
    ) - 1 AS `moment`
  FROM `balances` AS `balances`
  WHERE
    `balances`.`balance_date` >= CAST('2026-01-01' AS DATE)
    AND `balances`.`balance_date` < CAST('2026-04-01' AS DATE)
) AS `balances`
LEFT JOIN `accounts` AS `accounts`
  ON `balances`.`account_id` = `accounts`.`account_id`
GROUP BY
  `month`,
  `branch`
ORDER BY
  `month` ASC NULLS LAST,
  `branch` ASC NULLS LAST
LIMIT 100
