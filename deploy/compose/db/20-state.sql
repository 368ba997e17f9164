-- State of cellbound in PostgreSQL 15 or later, in a database of its own.
-- Run as an administrator with psql: psql -f THIS_FILE postgres
-- Then give the login a way in: \password cellbound_state
-- The gateway makes its tables itself, in the schema cellbound_state.

CREATE ROLE "cellbound_state" LOGIN;
CREATE DATABASE "cellbound_state" OWNER "cellbound_state" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE "cellbound_state" FROM PUBLIC;
