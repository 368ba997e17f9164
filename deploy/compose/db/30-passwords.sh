#!/bin/sh
# Gives the logins of the two stores their way in; the scripts before this one made them.
set -eu
for login in cellbound_traces cellbound_traces_retention cellbound_state; do
    psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="$STORE_PASSWORD" --set login="$login" <<'SQL'
ALTER ROLE :"login" PASSWORD :'password';
SQL
done
