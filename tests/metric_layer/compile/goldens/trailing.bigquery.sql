SELECT
  `spans`.`bucket` AS `month`,
  CAST(CAST(SUM(`payments`.`fee`) AS BIGNUMERIC) / NULLIF(COUNT(*), 0) AS BIGNUMERIC) AS `fee_each_28`
FROM `payments` AS `payments`
JOIN (
  SELECT
    `spans`.`bucket` AS `bucket`,
    `spans`.`start` AS `start`,
    `spans`.`end` AS `end`
  FROM UNNEST([
    STRUCT(
      CAST('2026-01-01' AS DATE) AS `bucket`,
      CAST('2026-01-04' AS DATE) AS `start`,
      CAST('2026-02-01' AS DATE) AS `end`
    ),
    STRUCT(
      CAST('2026-02-01' AS DATE) AS `bucket`,
      CAST('2026-02-01' AS DATE) AS `start`,
      CAST('2026-03-01' AS DATE) AS `end`
    ),
    STRUCT(
      CAST('2026-03-01' AS DATE) AS `bucket`,
      CAST('2026-03-04' AS DATE) AS `start`,
      CAST('2026-04-01' AS DATE) AS `end`
    )
  ]) AS `spans`
) AS `spans`
  ON `payments`.`paid_on` >= `spans`.`start` AND `payments`.`paid_on` < `spans`.`end`
WHERE
  `payments`.`paid_on` >= CAST('2026-01-04' AS DATE)
  AND `payments`.`paid_on` < CAST('2026-04-01' AS DATE)
GROUP BY
  `month`
ORDER BY
  `month` ASC NULLS LAST
LIMIT 100
