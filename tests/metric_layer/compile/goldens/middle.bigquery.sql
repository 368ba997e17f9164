SELECT
  `payments`.`currency` AS `currency`,
  APPROX_QUANTILES(`payments`.`fee`, 2)[OFFSET(1)] AS `fee_median`,
  APPROX_QUANTILES(`payments`.`fee`, 10)[OFFSET(9)] AS `fee_p90`,
  APPROX_COUNT_DISTINCT(`payments`.`account_id`) AS `payers`
FROM `payments` AS `payments`
GROUP BY
  `currency`
ORDER BY
  `currency` ASC NULLS LAST
LIMIT 100
