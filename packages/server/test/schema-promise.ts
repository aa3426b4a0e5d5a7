import { sql } from 'kysely';
import type { Database } from '../src/platform/database/transaction.ts';
import { engine } from './test-database.ts';

/** What statements of the release before depend on. */
export interface Schema {
  readonly columns: readonly Column[];
  /** Each unique index as `table (columns)`, and its condition. */
  readonly uniques: readonly Rule[];
  /** Foreign keys, and on PostgreSQL also conditions, as text. */
  readonly constraints: readonly Rule[];
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly notNull: number;
  readonly hasDefault: number;
}

interface Rule {
  readonly table: string;
  readonly rule: string;
}

const COLUMNS = {
  sqlite: sql<Column>`select t.name as "table", c.name as "column", lower(c.type) as type, c."notnull" as "notNull",
      c.dflt_value is not null as "hasDefault"
    from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite!_%' escape '!'`,
  postgres: sql<Column>`select table_name as "table", column_name as "column", data_type as type,
      (is_nullable = 'NO')::int as "notNull", (column_default is not null or is_identity = 'YES')::int as "hasDefault"
    from information_schema.columns where table_schema = 'public'`,
};

const UNIQUES = {
  sqlite: sql<Rule>`select t.name as "table", (select group_concat(ifnull(name, '…')) from
        (select name from pragma_index_info(l.name) order by seqno)) ||
      ifnull((select substr(sql, instr(sql, ' where ')) from sqlite_master
        where name = l.name and instr(sql, ' where ') > 0), '') as rule
    from sqlite_master t, pragma_index_list(t.name) l where t.type = 'table' and l."unique" = 1`,
  postgres: sql<Rule>`select i.indrelid::regclass::text as "table",
      (select string_agg(pg_get_indexdef(i.indexrelid, n, true), ',' order by n) from generate_series(1, i.indnkeyatts) n) ||
      coalesce(' where ' || pg_get_expr(i.indpred, i.indrelid), '') as rule
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace`,
};

const CONSTRAINTS = {
  sqlite: sql<Rule>`select t.name as "table", k."from" || ' refers to ' || k."table" as rule
    from sqlite_master t, pragma_foreign_key_list(t.name) k where t.type = 'table'`,
  postgres: sql<Rule>`select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as rule
    from pg_constraint where contype in ('f', 'c') and connamespace = 'public'::regnamespace`,
};

export async function schemaOf({ read }: Database): Promise<Schema> {
  const { rows: columns } = await COLUMNS[engine].execute(read);
  const { rows: uniques } = await UNIQUES[engine].execute(read);
  const { rows: constraints } = await CONSTRAINTS[engine].execute(read);
  return { columns, uniques, constraints };
}

/** Returns what statements that were written for one schema do not find, or are refused for, in a later one. */
export function brokenPromises(before: Schema, after: Schema): string[] {
  const tables = new Set(before.columns.map(({ table }) => table));
  const later = new Map(after.columns.map((each) => [`${each.table}.${each.column}`, each]));
  const earlier = new Set(before.columns.map(({ table, column }) => `${table}.${column}`));
  const left = new Set(after.columns.map(({ table }) => table));
  const gone = [...tables].filter((table) => !left.has(table)).map((table) => `the table ${table} is gone`);
  const changed = before.columns
    .filter(({ table }) => left.has(table))
    .flatMap(({ table, column, type, notNull }) => {
      const name = `${table}.${column}`;
      const found = later.get(name);
      if (found === undefined) return `${name} is gone`;
      if (found.type !== type) return `${name} was ${type} and is ${found.type}`;
      return found.notNull > notNull ? `${name} takes no null any more` : [];
    });
  const demanded = after.columns
    .filter(({ table, notNull, hasDefault }) => tables.has(table) && notNull && !hasDefault)
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !earlier.has(name))
    .map((name) => `${name} is new, and takes neither null nor a default`);
  return [...gone, ...changed, ...demanded, ...brokenRules(before, after, left)].sort();
}

function brokenRules(before: Schema, after: Schema, left: ReadonlySet<string>): string[] {
  const tables = new Set(before.columns.map(({ table }) => table));
  const textsOf = (rules: readonly Rule[], among: ReadonlySet<string>) =>
    new Set(rules.filter(({ table }) => among.has(table)).map(({ table, rule }) => `${table} (${rule})`));
  const without = (texts: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...texts].filter((each) => !others.has(each));
  const [uniques, laterUniques] = [textsOf(before.uniques, left), textsOf(after.uniques, tables)];
  const [constraints, laterConstraints] = [textsOf(before.constraints, left), textsOf(after.constraints, tables)];
  return [
    ...without(uniques, laterUniques).map((each) => `${each} is not unique any more`),
    ...without(laterUniques, uniques).map((each) => `${each} must be unique`),
    ...without(laterConstraints, constraints).map((each) => `${each} must hold`),
  ];
}
