import { type RawBuilder, sql } from 'kysely';
import { countUpTo } from '../../platform/database/count-up-to.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { comparePositions, firstOf, type Position } from './keyset.ts';
import { fewReadable, rowsWithIds, type Selection, smallest } from './selection-store.ts';

/** A part of a list, all of whose rows one index has in the order of the list. */
export interface ListPart {
  /** The conditions by which the index is walked. */
  readonly walked: readonly RawBuilder<unknown>[];
  /** The same for rows that are looked up by their ids, as expressions that keep SQLite from walking an index. */
  readonly lookedUp: readonly RawBuilder<unknown>[];
  /** The conditions under which the reader may read a row. */
  readonly readable: readonly RawBuilder<unknown>[];
  /**
   * Queries for the ids of all rows that the reader may read, each id once, by indexes of their own: for a part in which others
   * have rows that the reader must not see. Empty for a part that everybody may read.
   */
  readonly granted: readonly RawBuilder<unknown>[];
}

/** A filter of a list. */
export interface ListFilter {
  /** The filter as a condition on one row. */
  readonly condition: RawBuilder<unknown>;
  /** If an index answers it: a query for the ids of the rows that pass, each once. */
  readonly ids?: RawBuilder<unknown> | undefined;
}

/** A list of rows that have an owner and a visibility, in the order of a column. */
export interface SortedList {
  readonly table: string;
  /** The tables that filters and what is selected need beside it, such as `cross join accounts`, and how these are joined. */
  readonly beside: { readonly tables: RawBuilder<unknown>; readonly conditions: readonly RawBuilder<unknown>[] };
  /** A whole number, by which the list is sorted before the id; undefined: by the id alone. */
  readonly column: string | undefined;
  readonly direction: 'asc' | 'desc';
  /** The last row of the previous page. */
  readonly after: Position | undefined;
  readonly limit: number;
  readonly filters: readonly ListFilter[];
  readonly parts: readonly ListPart[];
}

/**
 * The rows that a page looks at where no index leads to those that it shows: a page may be short and have a next one, and
 * costs the same however few rows pass the filters or may be read.
 */
const MAX_WALKED = 5000;
/** The rows of a short walk before: enough for a page where much passes. */
const MAX_TRIED = 1000;
/** The first rows, which tell which filters are common. */
const MAX_SAMPLED = 200;
/** Looking up the rows that pass a filter is of no use if more rows of the sample than these pass it. */
const MAX_RARE = 10;

const allOf = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

const idIn = ({ table }: SortedList) => sql.ref(`${table}.id`);
const columnIn = ({ table, column }: SortedList) => (column === undefined ? undefined : sql.ref(`${table}.${column}`));

const order = (list: SortedList) => {
  const direction = sql.raw(list.direction);
  const column = columnIn(list);
  const byId = sql`${idIn(list)} ${direction}`;
  return column ? sql`${column} ${direction}, ${byId}` : byId;
};

/** The condition that a row is in a place relative to a position, in the order of the sorting. */
function isPlaced(list: SortedList, comparison: '<' | '>' | '<=' | '>=', { value, id }: Position): RawBuilder<unknown> {
  const column = columnIn(list);
  return column
    ? sql`(${column}, ${idIn(list)}) ${sql.raw(comparison)} (${value}, ${id})`
    : sql`${idIn(list)} ${sql.raw(comparison)} ${id}`;
}

const isBehind = (list: SortedList, position: Position) =>
  isPlaced(list, list.direction === 'asc' ? '>' : '<', position);
const isUpTo = (list: SortedList, position: Position) =>
  isPlaced(list, list.direction === 'asc' ? '<=' : '>=', position);

/**
 * The rows of a part behind the previous page, as the end of a query: the index of the sorting is walked, or the rows with the
 * given ids are looked up.
 */
function rowsOf(executor: ReadExecutor, list: SortedList, part: ListPart, ids: RawBuilder<unknown> | undefined) {
  return {
    from: ids ? rowsWithIds(executor, list.table, ids) : sql.table(list.table),
    conditions: [
      ...(ids ? [sql`${idIn(list)} = selected.id`, ...part.lookedUp] : part.walked),
      ...(list.after ? [isBehind(list, list.after)] : []),
    ],
  };
}

type Rows = ReturnType<typeof rowsOf>;

const withConditions = ({ from, conditions }: Rows, more: readonly RawBuilder<unknown>[]): Rows => ({
  from,
  conditions: [...conditions, ...more],
});

/** Returns the position of the last of so many rows behind the previous page; undefined if there are fewer. */
async function edgeOf(
  executor: ReadExecutor,
  list: SortedList,
  { from, conditions }: Rows,
  count: number,
): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    select ${columnIn(list) ?? sql.lit(0)} as value, ${idIn(list)} as id from ${from} where ${allOf(conditions)}
    order by ${order(list)} limit 1 offset ${sql.lit(count - 1)}`.execute(executor);
  return rows[0] && { value: Number(rows[0].value), id: rows[0].id };
}

/** A filter that an index answers. */
interface IndexedFilter extends ListFilter {
  readonly ids: RawBuilder<unknown>;
}

const indexed = ({ filters }: SortedList): readonly IndexedFilter[] =>
  filters.flatMap(({ condition, ids }) => (ids ? [{ condition, ids }] : []));

const idsOf = (filters: readonly IndexedFilter[]) => filters.map(({ ids }) => ids);

/** Returns those of some filters that few of some rows pass. */
async function rareAmong(
  executor: ReadExecutor,
  list: SortedList,
  filters: readonly IndexedFilter[],
  { from, conditions }: Rows,
): Promise<readonly IndexedFilter[]> {
  const passing = filters.map(
    ({ condition }, at) => sql`count(case when ${condition} then 1 end) as ${sql.ref(`c${at}`)}`,
  );
  const { rows } = await sql<Readonly<Record<string, number>>>`
    select ${sql.join(passing)} from ${from} ${list.beside.tables}
    where ${allOf([...conditions, ...list.beside.conditions])}`.execute(executor);
  return filters.filter((_, at) => Number(rows[0]?.[`c${at}`]) <= MAX_RARE);
}

/** Reads a query that is given from its `from` on. */
interface Reading<Result> {
  readonly read: (query: RawBuilder<unknown>) => Promise<Result>;
  /** Whether a result leaves nothing to look for. */
  readonly isEnough: (result: Result) => boolean;
  /** Joins the results of two walks, the second of which goes on where the first ended. Absent: there is no short walk before. */
  readonly join?: (first: Result, second: Result) => Result;
}

interface Looked<Result> {
  readonly result: Result;
  /** The last row that was looked at, which the reader may read because the cursor shows it; undefined at the end of the part. */
  readonly until: Position | undefined;
  /** What the rarest filter leads to, if that was found out; it serves the other parts as well. */
  readonly filter?: Selection | undefined;
}

/**
 * Reads the rows of a part that the reader may read and that pass the filters, by the plan that suits them. Which plan that is
 * may depend on rows that the reader may not read; what is returned does not.
 */
async function look<Result>(
  executor: ReadExecutor,
  list: SortedList,
  part: ListPart,
  known: Selection | undefined,
  { read, isEnough, join }: Reading<Result>,
): Promise<Looked<Result>> {
  const resultOf = (ids: RawBuilder<unknown> | undefined, edge?: Position, behind?: Position) => {
    const { from, conditions } = withConditions(rowsOf(executor, list, part, ids), [
      ...part.readable,
      ...list.beside.conditions,
      ...list.filters.map(({ condition }) => condition),
      ...(behind ? [isBehind(list, behind)] : []),
      ...(edge ? [isUpTo(list, edge)] : []),
    ]);
    return read(sql`from ${from} ${list.beside.tables} where ${allOf(conditions)}`);
  };
  const walked = rowsOf(executor, list, part, undefined);
  const [granted] = part.granted;
  let filters = indexed(list);
  let selection = await smallest(executor, part.granted, known);
  let tried: { readonly until: Position; readonly join: (further: Result) => Result } | undefined;
  if (!granted) {
    if (list.filters.length === 0) return { result: await resultOf(undefined), until: undefined };
    const visible = withConditions(walked, part.readable);
    const near = await edgeOf(executor, list, visible, MAX_TRIED);
    if (!near || (join && list.limit <= MAX_TRIED)) {
      const result = await resultOf(undefined, near);
      if (!near || isEnough(result)) return { result, until: undefined };
      tried = join && { until: near, join: (further) => join(result, further) };
    }
    if (filters.length > 0) {
      const sampled = await edgeOf(executor, list, visible, MAX_SAMPLED);
      filters = await rareAmong(executor, list, filters, withConditions(visible, [isUpTo(list, sampled ?? near)]));
    }
    selection = await smallest(executor, idsOf(filters), known);
  }
  if (selection) return { result: await resultOf(selection.ids), until: undefined, filter: selection };
  const edge = await edgeOf(executor, list, granted ? walked : withConditions(walked, part.readable), MAX_WALKED);
  const further = await resultOf(undefined, edge, tried?.until);
  const result = tried ? tried.join(further) : further;
  if (!edge || isEnough(result)) return { result, until: undefined };
  const few = await fewReadable(executor, idsOf(filters), (ids) => {
    const { from, conditions } = rowsOf(executor, { ...list, after: undefined }, part, ids);
    return sql`from ${from} where ${allOf([...conditions, ...part.readable])}`;
  });
  if (few) return { result: await resultOf(few), until: undefined };
  if (!granted) return { result, until: edge };
  // Rows of others would show in how far a walk gets, so that only those that the reader may read count.
  const last = await edgeOf(
    executor,
    list,
    withConditions(rowsOf(executor, list, part, granted), part.readable),
    MAX_WALKED,
  );
  return { result: await resultOf(granted, last), until: last };
}

/** Reads the parts of a list, one after the other, until there is enough. */
async function* lookAtParts<Result>(
  executor: ReadExecutor,
  list: SortedList,
  readingOf: () => Reading<Result> | undefined,
): AsyncGenerator<Looked<Result>> {
  let filter: Selection | undefined;
  for (const part of list.parts) {
    const reading = readingOf();
    if (!reading) return;
    const looked = await look(executor, list, part, filter, reading);
    if (part.granted.length === 0) filter = looked.filter;
    yield looked;
  }
}

/** The end of a query that returns the first rows of a list. */
const firstInOrder = (list: SortedList) => sql`order by ${order(list)} limit ${list.limit}`;

/** Returns what a function finds among the first rows of each part of a list, whether few or many of them pass the filters. */
export async function lookAtFirst<Found>(
  executor: ReadExecutor,
  list: SortedList,
  find: (rows: RawBuilder<unknown>) => Promise<Found>,
): Promise<Found[]> {
  const read = (query: RawBuilder<unknown>) =>
    find(sql`select ${sql.table(list.table)}.* ${query} ${firstInOrder(list)}`);
  const found: Found[] = [];
  const reading: Reading<Found[]> = {
    read: async (query) => [await read(query)],
    isEnough: () => false,
  };
  for await (const { result } of lookAtParts(executor, list, () => reading)) found.push(...result);
  return found;
}

/** The first rows of a list. */
export interface FirstRows<Row> {
  readonly rows: readonly Row[];
  /** Where the search goes on if `rows` are fewer than wanted; undefined at the end of the list. */
  readonly until: Position | undefined;
}

/** Returns the first rows of a list that the reader may read and that pass the filters, in order. */
export async function firstRows<Row>(
  executor: ReadExecutor,
  list: SortedList,
  columns: RawBuilder<unknown>,
  positionOf: (row: Row) => Position,
): Promise<FirstRows<Row>> {
  // A row that changes between two walks is in both.
  const distinct = (rows: readonly Row[]): readonly Row[] => {
    const ids = new Set<string>();
    return rows.filter((row) => ids.size !== ids.add(positionOf(row).id).size);
  };
  const reading: Reading<readonly Row[]> = {
    read: async (query) => (await sql<Row>`select ${columns} ${query} ${firstInOrder(list)}`.execute(executor)).rows,
    isEnough: (rows) => rows.length === list.limit,
    join: (first, second) => distinct([...first, ...second]).slice(0, list.limit),
  };
  const found: Row[] = [];
  const ends: Position[] = [];
  for await (const { result, until } of lookAtParts(executor, list, () => reading)) {
    found.push(...result);
    if (until && !reading.isEnough(result)) ends.push(until);
  }
  const [until] = firstOf(ends, (end) => end, list.direction, 1);
  const isKnown = (row: Row) => !until || comparePositions(positionOf(row), until, list.direction) <= 0;
  return { rows: firstOf(distinct(found), positionOf, list.direction, list.limit).filter(isKnown), until };
}

/** Returns how many rows the reader may read and pass the filters, among those that a page looks at, up to a maximum. */
export async function countRows(executor: ReadExecutor, list: SortedList, max: number): Promise<number> {
  let count = 0;
  const readingOf = () => {
    const missing = max - count;
    if (missing === 0) return undefined;
    const read = (query: RawBuilder<unknown>) => countUpTo(executor, query, missing);
    return {
      read,
      isEnough: (found: number) => found === missing,
      join: (first: number, second: number) => Math.min(missing, first + second),
    };
  };
  for await (const { result } of lookAtParts(executor, list, readingOf)) count += result;
  return count;
}
