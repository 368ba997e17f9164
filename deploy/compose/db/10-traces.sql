-- Traces of cellbound in PostgreSQL 15 or later, in a database of their own.
-- Run as an administrator with psql: psql -f THIS_FILE postgres
-- Then give the writer a way to log in: \password cellbound_traces
-- and, where old traces are to be deleted, who does that: \password cellbound_traces_retention

CREATE ROLE "cellbound_traces_owner" NOLOGIN;
CREATE ROLE "cellbound_traces" LOGIN;
CREATE ROLE "cellbound_traces_retention" LOGIN;
GRANT "cellbound_traces_owner" TO CURRENT_USER;
CREATE DATABASE "cellbound_traces" OWNER "cellbound_traces_owner" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE "cellbound_traces" FROM PUBLIC;
GRANT CONNECT ON DATABASE "cellbound_traces" TO "cellbound_traces", "cellbound_traces_retention";

\connect "cellbound_traces"
SET ROLE "cellbound_traces_owner";

CREATE SCHEMA cellbound;

-- One row for each record: its place in its log, its chain hash and its bytes as they were hashed.
CREATE TABLE cellbound.records (
    log text COLLATE "C" NOT NULL,
    seq bigint NOT NULL CHECK (seq >= 0),
    segment integer NOT NULL CHECK (segment >= 0),
    hash text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL,
    kind text COLLATE "C" GENERATED ALWAYS AS
        (substring(left(body, 400) FROM '"kind":"([a-z_]+)"')) STORED,
    trace_id text COLLATE "C" GENERATED ALWAYS AS
        (substring(left(body, 400) FROM '^\{"kind":"[a-z_]+","v":[0-9]+,"trace_id":"([^"\\]+)"')) STORED,
    at text COLLATE "C" GENERATED ALWAYS AS
        (substring(left(body, 400) FROM '"at":"([^"Z]+)')) STORED,
    PRIMARY KEY (log, seq)
);
CREATE INDEX records_of_a_question ON cellbound.records (trace_id, log, seq) WHERE trace_id IS NOT NULL;
CREATE INDEX records_by_time ON cellbound.records (at DESC, trace_id DESC) WHERE kind = 'open';
CREATE INDEX records_by_segment ON cellbound.records (log, segment, seq);
CREATE INDEX records_of_retirement ON cellbound.records (log, seq) WHERE kind = 'retired';

CREATE TABLE cellbound.logs (
    log text COLLATE "C" PRIMARY KEY,
    key_id text NOT NULL,
    begun timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE cellbound.checkpoints (
    name text COLLATE "C" NOT NULL,
    kept bigint GENERATED ALWAYS AS IDENTITY,
    note text NOT NULL,
    PRIMARY KEY (name, kept)
);

-- Nobody changes a trace, the owner included, without first taking this away.
CREATE FUNCTION cellbound.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'traces are only ever added to: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER only_added_to BEFORE UPDATE OR TRUNCATE ON cellbound.records
    FOR EACH STATEMENT EXECUTE FUNCTION cellbound.refuse_change();
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON cellbound.logs
    FOR EACH STATEMENT EXECUTE FUNCTION cellbound.refuse_change();
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON cellbound.checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION cellbound.refuse_change();

-- Whole segments go from the start of a log, never its newest, once a record that stays names each of them by
-- its number and the chain hash at its end. Whoever deletes anything else is refused, the owner included.
CREATE FUNCTION cellbound.refuse_unrecorded() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT ON (log, segment) log, segment, hash FROM gone
                     ORDER BY log, segment, seq DESC) AS g
        WHERE EXISTS (SELECT FROM cellbound.records AS r WHERE r.log = g.log AND r.segment <= g.segment)
           OR NOT EXISTS (SELECT FROM cellbound.records AS r WHERE r.log = g.log AND r.segment > g.segment)
           OR NOT EXISTS (
               SELECT FROM cellbound.records AS r
               WHERE r.kind = 'retired' AND CASE WHEN r.kind = 'retired' THEN r.body::jsonb -> 'segments'
                   @> jsonb_build_array(jsonb_build_object('log', g.log, 'number', g.segment, 'head', g.hash))
                   END)
    ) THEN
        RAISE EXCEPTION 'only whole segments go, from the start of a log and once that is on record'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER only_retired AFTER DELETE ON cellbound.records REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION cellbound.refuse_unrecorded();

GRANT USAGE ON SCHEMA cellbound TO "cellbound_traces", "cellbound_traces_retention";
GRANT SELECT, INSERT ON cellbound.records, cellbound.logs, cellbound.checkpoints TO "cellbound_traces";
GRANT SELECT, DELETE ON cellbound.records TO "cellbound_traces_retention";
RESET ROLE;
