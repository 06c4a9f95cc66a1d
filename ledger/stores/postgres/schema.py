"""The tables of the ledger in PostgreSQL: numbered migrations, and triggers that keep the log append-only.

All objects are in the schema `affray` and are always referred to by their full names, independently of the search path.
Ids, keys and names are stored as UTF-8 bytes, so that any text can be stored in a database of any encoding, and sorts
as in Python.

A released migration is never changed: a new one is added.
"""

import msgspec

from ledger.stores.postgres import deletion

PARTITIONS = 16
"""The number of partitions of the table of entries, by session."""

_NEVER = """CREATE FUNCTION affray.never() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only' USING ERRCODE = 'restrict_violation';
END $$"""

_GAPLESS = """CREATE FUNCTION affray.gapless() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.seq = 1 THEN
        PERFORM FROM affray.sessions WHERE number = NEW.session;
    ELSE
        PERFORM FROM affray.entries WHERE session = NEW.session AND seq = NEW.seq - 1;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the log is append-only and has no gaps' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$"""

_ADD = """CREATE FUNCTION affray.add(own bigint, expected bigint, lines bytea[], secrets bytea[], digests bytea[])
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO affray.entries (session, seq, line, secret, digest)
    SELECT own, expected + part.place, part.line, part.secret, part.digest
    FROM unnest(lines, secrets, digests) WITH ORDINALITY AS part (line, secret, digest, place) ORDER BY part.place;
    PERFORM pg_notify('affray', own::text);
END $$"""

# As in the first migration, without its NOTIFY, which held a lock of the whole server until the entries were on disk.
# The writing process notifies the listeners after the commit: see `notifier.py`.
_ADD_WITHOUT_NOTIFY = """CREATE OR REPLACE FUNCTION affray.add(
    own bigint, expected bigint, lines bytea[], secrets bytea[], digests bytea[]
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO affray.entries (session, seq, line, secret, digest)
    SELECT own, expected + part.place, part.line, part.secret, part.digest
    FROM unnest(lines, secrets, digests) WITH ORDINALITY AS part (line, secret, digest, place) ORDER BY part.place;
END $$"""

# The lock on the session's row serializes writers: the others wait, and then see what was written meanwhile.
_APPEND = """CREATE FUNCTION affray.append(
    asked bytea, expected bigint, given_key bytea, lines bytea[], secrets bytea[], digests bytea[]
) RETURNS TABLE (outcome text, number bigint, line bytea, secret bytea, digest bytea)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own bigint;
    known affray.batches;
    last bigint;
BEGIN
    SELECT s.number INTO own FROM affray.sessions s WHERE s.id = asked FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'unknown', NULL::bigint, NULL::bytea, NULL::bytea, NULL::bytea;
        RETURN;
    END IF;
    IF given_key IS NOT NULL THEN
        SELECT * INTO known FROM affray.batches b WHERE b.session = own AND b.key = given_key;
        IF FOUND THEN
            RETURN QUERY SELECT 'known', e.seq, e.line, e.secret, e.digest FROM affray.entries e
            WHERE e.session = own AND e.seq >= known.first AND e.seq < known.first + known.count ORDER BY e.seq;
            RETURN;
        END IF;
    END IF;
    SELECT coalesce(max(e.seq), 0) INTO last FROM affray.entries e WHERE e.session = own;
    IF last <> expected THEN
        RETURN QUERY SELECT 'stale', last, NULL::bytea, NULL::bytea, NULL::bytea;
        RETURN;
    END IF;
    IF given_key IS NOT NULL THEN
        INSERT INTO affray.batches VALUES (own, given_key, expected + 1, cardinality(lines));
    END IF;
    PERFORM affray.add(own, expected, lines, secrets, digests);
    RETURN QUERY SELECT 'written', NULL::bigint, NULL::bytea, NULL::bytea, NULL::bytea;
END $$"""

# The function is not called "begin": psql takes that word for the start of a body, and a dump could not be restored.
_CREATE = """CREATE FUNCTION affray.create_session(
    asked bytea, lines bytea[], secrets bytea[], digests bytea[], names bytea[], kept bytea[]
) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own bigint;
BEGIN
    INSERT INTO affray.sessions (id) VALUES (asked) ON CONFLICT DO NOTHING RETURNING number INTO own;
    IF own IS NULL THEN
        RETURN false;
    END IF;
    INSERT INTO affray.sealed SELECT own, part.name, part.secret FROM unnest(names, kept) AS part (name, secret);
    PERFORM affray.add(own, 0, lines, secrets, digests);
    RETURN true;
END $$"""

# Creates an imported session together with its idempotency keys.
_CREATE_WITH_KEYS = """CREATE FUNCTION affray.create_session(
    asked bytea, lines bytea[], secrets bytea[], digests bytea[], names bytea[], kept bytea[],
    keys bytea[], firsts bigint[], counts bigint[]
) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT affray.create_session(asked, lines, secrets, digests, names, kept) THEN
        RETURN false;
    END IF;
    INSERT INTO affray.batches SELECT s.number, part.key, part.first, part.count
    FROM affray.sessions s, unnest(keys, firsts, counts) AS part (key, first, count) WHERE s.id = asked;
    RETURN true;
END $$"""

_SHOWN = """CREATE FUNCTION affray.shown(raw bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN convert_from(raw, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN encode(raw, 'escape');
END $$"""


class Migration(msgspec.Struct, frozen=True):
    """A step from one version of the tables to the next."""

    name: str
    statements: tuple[str, ...]


def _forbid(table: str, *actions: str) -> list[str]:
    """Returns triggers that refuse actions, even if no row is found or the session has disabled triggers."""
    return [
        statement
        for action in actions
        for statement in (
            f"CREATE TRIGGER no_{action} BEFORE {action} ON affray.{table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION affray.never()",
            f"ALTER TABLE affray.{table} ENABLE ALWAYS TRIGGER no_{action}",
        )
    ]


def _partition(number: int) -> list[str]:
    # Partitions inherit row triggers, but not statement triggers.
    name = f"entries_{number:02}"
    return [
        f"CREATE TABLE affray.{name} PARTITION OF affray.entries "
        f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})",
        *_forbid(name, "update", "delete", "truncate"),
        f"ALTER TABLE affray.{name} ENABLE ALWAYS TRIGGER gapless",
    ]


_TABLES = (
    "CREATE TABLE affray.sessions (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea UNIQUE NOT NULL)",
    "CREATE TABLE affray.entries (session bigint NOT NULL, seq bigint NOT NULL CHECK (seq > 0), line bytea NOT NULL, "
    "secret bytea NOT NULL, digest bytea NOT NULL, PRIMARY KEY (session, seq)) PARTITION BY HASH (session)",
    "CREATE TABLE affray.batches (session bigint NOT NULL, key bytea NOT NULL, first bigint NOT NULL, "
    "count integer NOT NULL, PRIMARY KEY (session, key))",
    "CREATE TABLE affray.sealed (session bigint NOT NULL, name bytea NOT NULL, secret bytea NOT NULL, "
    "PRIMARY KEY (session, name))",
    _NEVER,
    _GAPLESS,
    "CREATE TRIGGER gapless BEFORE INSERT ON affray.entries FOR EACH ROW EXECUTE FUNCTION affray.gapless()",
    "ALTER TABLE affray.entries ENABLE ALWAYS TRIGGER gapless",
    *(statement for number in range(PARTITIONS) for statement in _partition(number)),
    *(
        statement
        for table in ("sessions", "entries", "batches", "sealed")
        for statement in _forbid(table, "update", "delete", "truncate")
    ),
    _ADD,
    _APPEND,
    _CREATE,
    # For people with psql.
    _SHOWN,
    "CREATE VIEW affray.log (session, seq, line) AS SELECT affray.shown(s.id), e.seq, affray.shown(e.line) "
    "FROM affray.sessions s JOIN affray.entries e ON e.session = s.number ORDER BY s.number, e.seq",
)

MIGRATIONS = (
    Migration("tables", _TABLES),
    Migration("sessions with keys", (_CREATE_WITH_KEYS,)),
    Migration("deletion", deletion.statements(PARTITIONS)),
    Migration("notify after commit", (_ADD_WITHOUT_NOTIFY,)),
)
"""All migrations in the order of application; the first is number 1."""
