import type pg from 'pg';

/** Deleted rows stay in the files until a vacuum, so a database is used a limited number of times. */
const MAX_USES = 40;

/** A connection to one database of the tests, which is closed after use. */
type UseDatabase = <T>(name: string, use: (client: pg.Client) => Promise<T>) => Promise<T>;

/** The rows of the migrations, as JSON by table. */
type FirstRows = ReadonlyMap<string, string>;

/** Numbers that differ from those of the template if a test has changed the tables themselves. */
const CATALOG = `select (select count(*) from pg_class) || ' ' || (select count(*) from pg_attribute) || ' ' ||
  (select count(*) from pg_trigger) || ' ' || (select count(*) from pg_constraint) || ' ' ||
  (select count(*) from pg_proc) || ' ' ||
  (select count(*) from pg_db_role_setting where setdatabase =
    (select oid from pg_database where datname = current_database())) as catalog`;

const TABLES = `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;

/** Deletes all rows without following foreign keys, and restarts sequences. */
const EMPTY = `do $$
declare item record; has_rows boolean;
begin
  set local session_replication_role = replica;
  for item in ${TABLES} loop
    execute format('select exists (select from %I)', item.name) into has_rows;
    if has_rows then execute format('delete from %I', item.name); end if;
  end loop;
  for item in select sequencename as name from pg_sequences where last_value is not null loop
    execute format('alter sequence %I restart', item.name);
  end loop;
end $$`;

/**
 * Keeps PostgreSQL databases that tests give back, emptied for the next test: making one takes many times longer. A
 * database that somebody still uses, or whose tables were changed, is not kept.
 */
export function createReusedDatabases(useDatabase: UseDatabase, template: string) {
  const free: { readonly name: string; readonly uses: number }[] = [];
  const uses = new Map<string, number>();
  let firstState: Promise<{ readonly catalog: string; readonly rows: FirstRows }> | undefined;

  const readFirstState = () =>
    useDatabase(template, async (client) => {
      const rows = new Map<string, string>();
      for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
        const found = await client.query<{ rows: string | null }>(`select json_agg(t)::text as rows from "${name}" t`);
        const text = found.rows[0]?.rows;
        if (text) rows.set(name, text);
      }
      return { catalog: await catalogOf(client), rows };
    });

  return {
    take(): string | undefined {
      const taken = free.pop();
      if (taken) uses.set(taken.name, taken.uses);
      return taken?.name;
    },

    /** Empties a database and keeps it; returns false if it cannot be used again. */
    async giveBack(name: string): Promise<boolean> {
      const count = (uses.get(name) ?? 0) + 1;
      uses.delete(name);
      if (count >= MAX_USES) return false;
      firstState ??= readFirstState();
      const { catalog, rows } = await firstState;
      const isClean = await useDatabase(name, async (client) => {
        const others = await client.query(
          'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        if (others.rowCount !== 0 || (await catalogOf(client)) !== catalog) return false;
        await client.query(EMPTY);
        for (const [table, text] of rows)
          await client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`, [
            text,
          ]);
        return true;
      });
      if (isClean) free.push({ name, uses: count });
      return isClean;
    },
  };
}

async function catalogOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ catalog: string }>(CATALOG);
  return rows[0]?.catalog ?? '';
}
