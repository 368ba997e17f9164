SELECT
  `parts`.`month` AS `month`,
  CAST(CAST(MAX(`parts`.`fees`) AS BIGNUMERIC) / NULLIF(MAX(`parts`.`payments_made`), 0) AS BIGNUMERIC) AS `fee_each`
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
    `spine`.`month` AS `month`
  FROM (
    SELECT
      `spine`.`month` AS `month`
    FROM UNNEST([
      STRUCT(CAST('2026-01-01' AS DATE) AS `month`),
      STRUCT(CAST('2026-02-01' AS DATE) AS `month`),
      STRUCT(CAST('2026-03-01' AS DATE) AS `month`)
    ]) AS `spine`
  ) AS `spine`
) AS `parts`
GROUP BY
  `month`
ORDER BY
  `month` ASC NULLS LAST
LIMIT 100
