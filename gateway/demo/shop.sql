-- The shop's tables, out of nothing but row numbers: the same rows on every machine, at any number of threads.
-- Reads one variable: event_rows. The draws come from an integer mix of our own, so that a figure in a README
-- stays true when the database changes its hash function. Money is USD with two decimals.

-- 32 well-mixed bits out of a row number and a salt.
CREATE TEMP MACRO fold(x, shift) AS xor(x, x >> shift);
CREATE TEMP MACRO spread(x, factor) AS (x * factor::UBIGINT) % 4294967296;
CREATE TEMP MACRO bits(i, salt) AS
    fold(spread(fold(spread(fold(spread(i::UBIGINT + 1, 2654435761) + salt::UBIGINT * 40503, 16) % 4294967296,
                            2246822519), 13), 3266489917), 16);
-- A number in [0, 1) and a whole number in [0, n).
CREATE TEMP MACRO draw(i, salt) AS bits(i, salt)::DOUBLE / 4294967296.0;
CREATE TEMP MACRO pick(i, salt, n) AS (bits(i, salt) % n)::INTEGER;
-- The share of the period that has passed at the f-th part of the rows, when business doubles over the period.
CREATE TEMP MACRO elapsed(f) AS -1.0 + sqrt(1.0 + 3.0 * f);

-- The day at a share of the period of 1,004 days; the shop was closed for the whole of June 2025.
CREATE TEMP MACRO open_day(share) AS
    DATE '2024-02-01' + (floor(974 * share) + CASE WHEN floor(974 * share) >= 486 THEN 30 ELSE 0 END)::INTEGER;

CREATE TABLE products AS
SELECT
    product_id::INTEGER AS product_id,
    concat(brand, ' ',
        ['speaker', 'pannier', 'chair', 'planter', 'kettle', 'lamp', 'desk tidy', 'tent'][kind], ' ', product_id)
        AS product_name,
    ['Audio', 'Cycling', 'Furniture', 'Garden', 'Kitchen', 'Lighting', 'Office', 'Outdoor'][kind] AS category,
    brand,
    (list_price * (0.45 + 0.25 * draw(product_id, 13)))::DECIMAL(12, 2) AS unit_cost,
    list_price::DECIMAL(12, 2) AS list_price
FROM (
    SELECT *, round([89, 64, 240, 38, 52, 75, 31, 130][kind] * (0.6 + 0.8 * draw(product_id, 12)), 2) AS list_price
    FROM (
        SELECT
            product_id,
            1 + pick(product_id, 11, 8) AS kind,
            ['Alder', 'Brook', 'Cinder', 'Dune', 'Ember', 'Fjord', 'Grove', 'Heath', 'Isle', 'Juniper', 'Kelp', 'Larch',
             'Moor', 'North', 'Opal', 'Pine', 'Quarry', 'Reed', 'Slate', 'Thorn'][1 + pick(product_id, 10, 20)] AS brand
        FROM range(1, 401) AS numbers(product_id)
    )
)
ORDER BY product_id;

-- 6,000 customers were there before the first order; the others came while the shop grew. A few never said where.
CREATE TABLE customers AS
SELECT
    customer_id::INTEGER AS customer_id,
    concat(given, ' ', family) AS name,
    concat(lower(given), '.', lower(family), customer_id, '@example.com') AS email,
    printf('+1 555 01%02d %04d', pick(customer_id, 24, 100), pick(customer_id, 25, 10000)) AS phone,
    CASE
        WHEN draw(customer_id, 22) < 0.44 THEN 'EMEA'
        WHEN draw(customer_id, 22) < 0.80 THEN 'AMER'
        WHEN draw(customer_id, 22) < 0.98 THEN 'APAC'
    END AS region,
    CASE
        WHEN draw(customer_id, 23) < 0.62 THEN 'consumer'
        WHEN draw(customer_id, 23) < 0.91 THEN 'small business'
        ELSE 'enterprise'
    END AS segment,
    CASE
        WHEN customer_id <= 6000
            THEN TIMESTAMP '2022-02-01' + to_seconds((731 * 86400 * (customer_id - 1) / 6000)::BIGINT)
        ELSE open_day((customer_id - 6001) / 14000) + to_seconds(pick(customer_id, 26, 86400))
    END AS created_at
FROM (
    SELECT
        customer_id,
        ['Ada', 'Bo', 'Chen', 'Dara', 'Elif', 'Femi', 'Gita', 'Hugo', 'Ines', 'Jun', 'Kofi', 'Lena', 'Mei', 'Noor',
         'Omar', 'Pia', 'Quinn', 'Rosa', 'Sami', 'Tove'][1 + pick(customer_id, 20, 20)] AS given,
        ['Adler', 'Barros', 'Cole', 'Diaz', 'Eng', 'Fox', 'Garg', 'Holm', 'Ito', 'Joshi', 'Klein', 'Lopez', 'Mensah',
         'Novak', 'Okafor', 'Park', 'Rossi', 'Silva', 'Tan', 'Weber'][1 + pick(customer_id, 21, 20)] AS family
    FROM range(1, 20001) AS numbers(customer_id)
)
ORDER BY customer_id;

-- About 3 in 1,000 orders belong to a customer whose row is gone, and 1 in 100 has no line (a gift card).
CREATE TEMP TABLE order_frame AS
SELECT
    order_id,
    seen,
    CASE
        WHEN draw(order_id, 30) < 0.003 THEN 900000 + pick(order_id, 31, 200)
        ELSE 1 + floor(draw(order_id, 32) * (6000 + 14000 * seen))::INTEGER
    END AS customer_id,
    open_day(seen) AS order_date,
    CASE
        WHEN draw(order_id, 33) < 0.885 THEN 'completed'
        WHEN draw(order_id, 33) < 0.94 THEN 'cancelled'
        ELSE 'returned'
    END AS order_status,
    CASE
        WHEN draw(order_id, 34) < 0.01 THEN 0
        ELSE [1, 1, 2, 2, 2, 3, 3, 3, 4, 6][1 + pick(order_id, 35, 10)]
    END AS line_count
FROM (
    SELECT order_id, elapsed((order_id - 0.5) / 120000) AS seen
    FROM range(1, 120001) AS numbers(order_id)
);

-- The price of the day: list price, four per cent more from February 2026. About 2 lines in 1,000 lost their product.
CREATE TABLE order_lines AS
SELECT
    order_line_id,
    order_id,
    CASE WHEN draw(order_line_id, 40) >= 0.002 THEN product_id END AS product_id,
    quantity,
    unit_price,
    discount,
    (quantity * unit_price - discount)::DECIMAL(12, 2) AS amount
FROM (
    SELECT
        *,
        CASE WHEN draw(order_line_id, 43) < 0.18
            THEN (quantity * unit_price * (5 + 5 * pick(order_line_id, 44, 4)) / 100)::DECIMAL(12, 2)
            ELSE 0.00::DECIMAL(12, 2)
        END AS discount
    FROM (
        SELECT
            lines.order_line_id,
            lines.order_id,
            lines.product_id,
            [1, 1, 1, 1, 2, 2, 3, 5][1 + pick(lines.order_line_id, 42, 8)] AS quantity,
            (products.list_price * CASE WHEN lines.order_date >= DATE '2026-02-01' THEN 1.04 ELSE 1.00 END)
                ::DECIMAL(12, 2) AS unit_price
        FROM (
            SELECT
                (order_id * 10 + line)::INTEGER AS order_line_id,
                order_id::INTEGER AS order_id,
                order_date,
                1 + floor(400 * draw(order_id * 10 + line, 41) * draw(order_id * 10 + line, 41))::INTEGER AS product_id
            FROM order_frame, range(1, 7) AS numbers(line)
            WHERE line <= line_count
        ) AS lines
        JOIN products USING (product_id)
    )
)
ORDER BY order_line_id;

-- Shipping comes in five prices, so that orders with the same fee are many. A refund is money given back for the order
-- as a whole: most of it for returned orders, now and then a part for completed ones; NULL where nothing was given.
CREATE TABLE orders AS
SELECT
    order_id::INTEGER AS order_id,
    customer_id,
    order_date,
    order_status,
    [0.00, 4.90, 4.90, 6.90, 9.90, 14.90][1 + pick(order_id, 50, 6)]::DECIMAL(12, 2) AS shipping_fee,
    CASE
        WHEN total IS NULL OR order_status = 'cancelled' THEN NULL
        WHEN order_status = 'returned' THEN (total * [1.00, 1.00, 1.00, 0.50][1 + pick(order_id, 51, 4)])
            ::DECIMAL(12, 2)
        WHEN draw(order_id, 52) < 0.03 THEN (total * 0.15)::DECIMAL(12, 2)
    END AS refund_amount
FROM order_frame
LEFT JOIN (SELECT order_id, sum(amount) AS total FROM order_lines GROUP BY order_id) AS totals USING (order_id)
ORDER BY order_id;

CREATE TABLE support_tickets AS
SELECT
    ticket_id,
    customer_id,
    opened_at,
    CASE WHEN is_closed THEN opened_at + to_minutes(minutes::BIGINT * 9) END AS closed_at,
    CASE WHEN is_closed THEN 'closed' ELSE 'open' END AS ticket_status,
    priority,
    CASE WHEN is_closed THEN minutes END AS minutes
FROM (
    SELECT
        ticket_id::INTEGER AS ticket_id,
        (1 + floor(draw(ticket_id, 60) * (6000 + 14000 * (seen - 0.02))))::INTEGER AS customer_id,
        TIMESTAMP '2024-02-01' + to_seconds(floor(1004 * 86400 * seen)::BIGINT) AS opened_at,
        draw(ticket_id, 61) < 0.985 AS is_closed,
        ['low', 'normal', 'normal', 'normal', 'high', 'urgent'][1 + pick(ticket_id, 62, 6)] AS priority,
        4 + floor(90 * draw(ticket_id, 63) * draw(ticket_id, 63) * draw(ticket_id, 63))::INTEGER AS minutes
    FROM (
        SELECT ticket_id, elapsed((ticket_id - 0.5) / 30000) AS seen
        FROM range(1, 30001) AS numbers(ticket_id)
    )
)
ORDER BY ticket_id;

-- What visitors did in the last fourteen months (older rows are not kept), in the order in which it happened. Sixteen
-- sessions run side by side; three in ten are of visitors nobody knows (no customer). The payload of a sign-up is what
-- the visitor typed: personal.
CREATE TABLE events AS
SELECT
    event_id::INTEGER AS event_id,
    CASE WHEN draw(session_id, 71) >= 0.3
        THEN (1 + floor(draw(session_id, 72) * (13700 + 6000 * started)))::INTEGER
    END AS customer_id,
    TIMESTAMP '2025-09-01' + to_seconds(floor(426 * 86400 * seen)::BIGINT) AS event_time,
    event_type,
    session_id::INTEGER AS session_id,
    CASE WHEN event_type = 'sign_up' THEN concat('visitor', session_id, '@example.com') END AS payload
FROM (
    SELECT
        event_id,
        elapsed((event_id - 0.5) / getvariable('event_rows')) AS seen,
        elapsed((event_id // 80) * 80.0 / getvariable('event_rows')) AS started,
        16 * (event_id // 80) + pick(event_id, 70, 16) AS session_id,
        ['page_view', 'page_view', 'page_view', 'page_view', 'page_view', 'page_view', 'page_view', 'page_view',
         'page_view', 'search', 'search', 'search', 'add_to_cart', 'add_to_cart', 'checkout', 'sign_up']
            [1 + pick(event_id, 73, 16)] AS event_type
    FROM range(1, getvariable('event_rows') + 1) AS numbers(event_id)
);
