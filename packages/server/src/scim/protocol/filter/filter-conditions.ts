import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from '../../../platform/database/transaction.ts';
import { codePointsIn } from '../resources/json.ts';
import { type Comparison, type Filter, type FilterValue, fold } from './filter.ts';

/** The column of an attribute: text, a flag 0 or 1, or a time in epoch milliseconds. */
export interface Column {
  readonly sql: Expression<unknown>;
  readonly type: 'string' | 'boolean' | 'dateTime';
  /** An indexed expression with `fold` of the text; present if comparisons ignore case. */
  readonly folded?: Expression<unknown>;
  /** Whether `folded` is computed by the engine, without an index. */
  readonly unindexed?: boolean;
}

/** The rows of a multi-valued attribute: builds the condition that one of them meets another condition. */
export interface Values {
  readonly exists: (condition: Expression<SqlBool>) => Expression<SqlBool>;
}

/**
 * By canonical path: `userName`, `emails.value`; for example `members` are values, and `members.value` is a column
 * within them.
 */
export type Columns = Readonly<Record<string, Column | Values>>;

/**
 * Returns the SQL condition of a filter. An attribute without a column never has a value. `eq` becomes `column = ?`,
 * which an index can serve.
 */
export function filterCondition(executor: ReadExecutor, filter: Filter, columns: Columns): Expression<SqlBool> {
  return condition({ columns, postgres: isPostgres(executor) }, filter);
}

interface Context {
  readonly columns: Columns;
  readonly postgres: boolean;
  /** The multi-valued attribute whose values the condition examines. */
  readonly within?: string;
}

const NEVER = sql<SqlBool>`1 = 0`;
/** Comparisons with null are unknown in SQL; a negation must treat them as false. */
const not = (part: Expression<SqlBool>): RawBuilder<SqlBool> => sql<SqlBool>`not coalesce(${part}, false)`;

function condition(context: Context, filter: Filter): Expression<SqlBool> {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => condition(context, each));
      return sql<SqlBool>`(${sql.join(parts, sql.raw(` ${filter.op} `))})`;
    }
    case 'not':
      return not(condition(context, filter.filter));
    case 'any':
      return any(context, filter.path, filter.filter);
    case 'pr':
      return leaf(context, filter.path, isPresent);
    case 'ne':
      return not(condition(context, { ...filter, op: 'eq' }));
    case 'eq':
    case 'co':
    case 'sw':
    case 'ew':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le': {
      const { op, path, value } = filter;
      if (value === null) return not(leaf(context, path, isPresent));
      return leaf(context, path, (column) => compared(column, op, value, context.postgres));
    }
  }
}

/** Handles a multi-valued attribute that is stored as a column and thus has at most one value. */
function any(context: Context, path: string, filter: Filter): Expression<SqlBool> {
  const inside = () => condition({ ...context, within: path }, filter);
  const values = context.columns[path];
  if (values && 'exists' in values) return values.exists(inside());
  const value = context.columns[`${path}.value`];
  return value && 'sql' in value ? sql<SqlBool>`(${value.sql} is not null and ${inside()})` : NEVER;
}

function leaf(context: Context, path: string, test: (column: Column) => Expression<SqlBool>): Expression<SqlBool> {
  const column = context.columns[path];
  if (!column || 'exists' in column) return NEVER;
  const [owner = ''] = path.split('.');
  const values = owner === context.within ? undefined : context.columns[owner];
  return values && 'exists' in values ? values.exists(test(column)) : test(column);
}

const isPresent = (column: Column): Expression<SqlBool> =>
  column.type === 'string' ? sql<SqlBool>`coalesce(${column.sql}, '') <> ''` : sql<SqlBool>`${column.sql} is not null`;

type Positive = Exclude<Comparison, 'ne'>;
const SYMBOLS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function compared(column: Column, op: Positive, value: FilterValue, postgres: boolean): Expression<SqlBool> {
  if (column.type !== 'string') {
    const wanted = column.type === 'boolean' ? Number(value) : Date.parse(String(value));
    return op in SYMBOLS ? sql<SqlBool>`${column.sql} ${symbol(op)} ${wanted}` : NEVER;
  }
  const wanted = column.folded ? fold(String(value)) : String(value);
  const text =
    column.folded && column.unindexed && !postgres ? folding(column.folded, wanted) : (column.folded ?? column.sql);
  // LIKE is unsuitable: on SQLite it ignores case.
  const length = sql.lit(codePointsIn(wanted));
  switch (op) {
    case 'eq':
      return sql<SqlBool>`${text} = ${wanted}`;
    case 'co':
      return wanted === ''
        ? sql<SqlBool>`${text} is not null`
        : sql<SqlBool>`replace(${text}, ${wanted}, '') <> ${text}`;
    case 'sw':
      return sql<SqlBool>`substr(${text}, 1, ${length}) = ${wanted}`;
    case 'ew':
      return sql<SqlBool>`(length(${text}) >= ${length} and substr(${text}, length(${text}) - ${length} + 1) = ${wanted})`;
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      // Compares by code points, whatever the collation of the database; SQLite knows no other order.
      return postgres
        ? sql<SqlBool>`${text} collate "C" ${symbol(op)} ${wanted}`
        : sql<SqlBool>`${text} ${symbol(op)} ${wanted}`;
  }
}

/** The maximum number of nested `replace` expressions; no name has more distinct letters. */
const MAX_LETTERS = 20;

/** SQLite folds ASCII only; of all other letters, those in the search text are folded by `replace`. */
function folding(text: Expression<unknown>, wanted: string): Expression<unknown> {
  const letters = [...new Set(wanted)].flatMap((letter) => {
    const capital = letter.toUpperCase();
    return letter > '\x7f' && capital !== letter && fold(capital) === letter ? [[capital, letter] as const] : [];
  });
  return letters
    .slice(0, MAX_LETTERS)
    .reduce((folded, [capital, letter]) => sql`replace(${folded}, ${capital}, ${letter})`, text);
}

// Operators without a symbol are handled above.
const symbol = (op: Positive) => sql.raw(SYMBOLS[op as keyof typeof SYMBOLS]);
