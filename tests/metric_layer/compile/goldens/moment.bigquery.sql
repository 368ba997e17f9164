SELECT
  `parts`.`month` AS `month`,
  `parts`.`branch` AS `branch`,
  MAX(`parts`.`balance`) AS `balance`,
  MAX(`parts`.`balance_each`) AS `balance_each`
FROM (
  SELECT
    `balances`.`bucket` AS `month`,
    `accounts`.`branch` AS `branch`,
    SUM(`balances`.`amount`) AS `balance`
  FROM (
    SELECT
      `balances`.`amount` AS `amount`,
      `balances`.`account_id` AS `account_id`,
      CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE) AS `bucket`,
      RANK() OVER (
        PARTITION BY CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE)
        ORDER BY `balances`.`balance_date` DESC
      ) AS `moment`
    FROM `balances` AS `balances`
    WHERE
      `balances`.`balance_date` >= CAST('2026-01-01' AS DATE)
      AND `balances`.`balance_date` < CAST('2026-04-01' AS DATE)
  ) AS `balances`
  LEFT JOIN `accounts` AS `accounts`
    ON `balances`.`account_id` = `accounts`.`account_id`
  WHERE
    `balances`.`moment` = 1
  GROUP BY
    `balances`.`bucket`,
    `accounts`.`branch`
  FULL OUTER UNION ALL BY NAME
  SELECT
    `balances`.`bucket` AS `month`,
    `accounts`.`branch` AS `branch`,
    SUM(`balances`.`amount`) AS `balance_each`
  FROM (
    SELECT
      `balances`.`amount` AS `amount`,
      `balances`.`account_id` AS `account_id`,
      CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE) AS `bucket`,
      RANK() OVER (
        PARTITION BY CAST(DATE_TRUNC(`balances`.`balance_date`, MONTH) AS DATE), `accounts`.`account_id`
        ORDER BY `balances`.`balance_date` DESC
      ) AS `moment`
    FROM `balances` AS `balances`
    LEFT JOIN `accounts` AS `accounts`
      ON `balances`.`account_id` = `accounts`.`account_id`
    WHERE
      `balances`.`balance_date` >= CAST('2026-01-01' AS DATE)
      AND `balances`.`balance_date` < CAST('2026-04-01' AS DATE)
  ) AS `balances`
  LEFT JOIN `accounts` AS `accounts`
    ON `balances`.`account_id` = `accounts`.`account_id`
  WHERE
    `balances`.`moment` = 1
  GROUP BY
    `balances`.`bucket`,
    `accounts`.`branch`
) AS `parts`
GROUP BY
  `month`,
  `branch`
ORDER BY
  `month` ASC NULLS LAST,
  `branch` ASC NULLS LAST
LIMIT 100
