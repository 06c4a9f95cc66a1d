"""The third migration of the ledger in PostgreSQL: tombstones, and the deletion of a session.

A row is inserted into `affray.tombstones`, and a trigger then deletes the entries, keys and sealed secrets of that one
session. Nothing else deletes anything: the triggers of the other tables allow only that trigger to delete, and only
rows whose session has a tombstone. The tombstone, like the row in `affray.sessions` that prevents the reuse of the id,
is permanent.
"""

_REFUSED = "RAISE EXCEPTION 'the log is append-only' USING ERRCODE = 'restrict_violation'"
_HEAD = "LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$"

_TABLE = (
    "CREATE TABLE affray.tombstones (number bigint PRIMARY KEY, session bigint UNIQUE NOT NULL, "
    "entries bigint NOT NULL, last bytea NOT NULL, line bytea NOT NULL, digest bytea NOT NULL)"
)

# Fires for each statement, even if it finds no row: allows only statements of another trigger.
_ONLY_DELETED = f"""CREATE FUNCTION affray.only_deleted() RETURNS trigger
{_HEAD}
BEGIN
    IF pg_trigger_depth() < 2 THEN
        {_REFUSED};
    END IF;
    RETURN NULL;
END $$"""

_ROW_DELETED = f"""CREATE FUNCTION affray.row_deleted() RETURNS trigger
{_HEAD}
BEGIN
    PERFORM FROM affray.tombstones WHERE session = OLD.session;
    IF NOT FOUND THEN
        {_REFUSED};
    END IF;
    RETURN OLD;
END $$"""

# A deletion locks the session's row: writers wait for each other, and then see what the other has done.
_NOT_DELETED = f"""CREATE FUNCTION affray.not_deleted() RETURNS trigger
{_HEAD}
BEGIN
    PERFORM FROM affray.sessions WHERE number = NEW.session FOR KEY SHARE;
    PERFORM FROM affray.tombstones WHERE session = NEW.session;
    IF FOUND THEN
        {_REFUSED};
    END IF;
    RETURN NEW;
END $$"""

_GAPLESS = """CREATE OR REPLACE FUNCTION affray.gapless() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.seq = 1 THEN
        PERFORM FROM affray.sessions s WHERE s.number = NEW.session
        AND NOT EXISTS (SELECT FROM affray.tombstones t WHERE t.session = NEW.session);
    ELSE
        PERFORM FROM affray.entries WHERE session = NEW.session AND seq = NEW.seq - 1;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the log is append-only and has no gaps' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$"""

_TRUE_TOMBSTONE = f"""CREATE FUNCTION affray.true_tombstone() RETURNS trigger
{_HEAD}
DECLARE
    found_entries bigint;
    found_last bytea;
BEGIN
    PERFORM FROM affray.sessions WHERE number = NEW.session FOR UPDATE;
    IF NOT FOUND OR NEW.number <> (SELECT coalesce(max(t.number), 0) + 1 FROM affray.tombstones t) THEN
        {_REFUSED};
    END IF;
    SELECT e.seq, e.digest INTO found_entries, found_last
    FROM affray.entries e WHERE e.session = NEW.session ORDER BY e.seq DESC LIMIT 1;
    IF NEW.entries <> coalesce(found_entries, 0) OR (NEW.entries > 0 AND NEW.last <> found_last)
    OR EXISTS (SELECT FROM affray.tombstones t WHERE t.session = NEW.session) THEN
        {_REFUSED};
    END IF;
    RETURN NEW;
END $$"""

_DELETED = f"""CREATE FUNCTION affray.delete_buried() RETURNS trigger
{_HEAD}
BEGIN
    DELETE FROM affray.entries WHERE session = NEW.session;
    DELETE FROM affray.batches WHERE session = NEW.session;
    DELETE FROM affray.sealed WHERE session = NEW.session;
    PERFORM pg_notify('affray', NEW.session::text);
    RETURN NULL;
END $$"""

# A tombstone is made for a place in the chain and for an end of the log. If another writer was faster, it is not
# stored, and the caller makes a new one.
_DELETE = f"""CREATE FUNCTION affray.delete_session(
    asked bytea, place bigint, count bigint, final bytea, words bytea, sum bytea
) RETURNS text
{_HEAD}
DECLARE
    own bigint;
BEGIN
    LOCK TABLE affray.tombstones IN SHARE ROW EXCLUSIVE MODE;
    SELECT s.number INTO own FROM affray.sessions s WHERE s.id = asked FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF EXISTS (SELECT FROM affray.tombstones t WHERE t.session = own) THEN
        RETURN 'deleted';
    END IF;
    IF place <> (SELECT coalesce(max(t.number), 0) + 1 FROM affray.tombstones t)
    OR count <> (SELECT coalesce(max(e.seq), 0) FROM affray.entries e WHERE e.session = own) THEN
        RETURN 'stale';
    END IF;
    INSERT INTO affray.tombstones VALUES (place, own, count, final, words, sum);
    RETURN 'written';
END $$"""

# As in the first migration; for a deleted session it returns the line of the tombstone.
_APPEND = f"""CREATE OR REPLACE FUNCTION affray.append(
    asked bytea, expected bigint, given_key bytea, lines bytea[], secrets bytea[], digests bytea[]
) RETURNS TABLE (outcome text, number bigint, line bytea, secret bytea, digest bytea)
{_HEAD}
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
    RETURN QUERY SELECT 'deleted', t.number, t.line, NULL::bytea, NULL::bytea
    FROM affray.tombstones t WHERE t.session = own;
    IF FOUND THEN
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


def trigger(table: str, name: str, when: str, function: str) -> tuple[str, str]:
    """Returns statements for a trigger that fires even in a session that has disabled triggers."""
    return (
        f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION affray.{function}()".replace(" ON ", f" ON affray.{table} "),
        f"ALTER TABLE affray.{table} ENABLE ALWAYS TRIGGER {name}",
    )


def _statement_trigger(table: str) -> tuple[str, ...]:
    """Replaces the trigger that refused every DELETE."""
    return (
        f"DROP TRIGGER no_delete ON affray.{table}",
        *trigger(table, "no_delete", "BEFORE DELETE ON FOR EACH STATEMENT", "only_deleted"),
    )


def statements(partitions: int) -> tuple[str, ...]:
    """Returns the statements of the migration.

    Args:
        partitions: How many parts the first migration has made of the table of entries.
    """
    parts = [f"entries_{number:02}" for number in range(partitions)]
    return (
        _TABLE,
        *(
            statement
            for action in ("update", "delete", "truncate")
            for statement in trigger(
                "tombstones", f"no_{action}", f"BEFORE {action.upper()} ON FOR EACH STATEMENT", "never"
            )
        ),
        _ONLY_DELETED,
        _ROW_DELETED,
        _NOT_DELETED,
        _GAPLESS,
        _TRUE_TOMBSTONE,
        _DELETED,
        *(statement for table in ("entries", *parts, "batches", "sealed") for statement in _statement_trigger(table)),
        *(
            statement
            for table in ("entries", "batches", "sealed")
            for statement in trigger(table, "row_deleted", "BEFORE DELETE ON FOR EACH ROW", "row_deleted")
        ),
        # The partitions inherit the row triggers, but not that they always fire.
        *(f"ALTER TABLE affray.{part} ENABLE ALWAYS TRIGGER row_deleted" for part in parts),
        *(
            statement
            for table in ("batches", "sealed")
            for statement in trigger(table, "not_deleted", "BEFORE INSERT ON FOR EACH ROW", "not_deleted")
        ),
        *trigger("tombstones", "true_tombstone", "BEFORE INSERT ON FOR EACH ROW", "true_tombstone"),
        *trigger("tombstones", "delete_buried", "AFTER INSERT ON FOR EACH ROW", "delete_buried"),
        _DELETE,
        _APPEND,
    )
