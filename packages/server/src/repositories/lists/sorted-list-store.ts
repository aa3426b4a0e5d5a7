import { type RawBuilder, sql } from 'kysely';
import type { RowsQuery } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import { comparePositions, firstOf, type Position } from './keyset.ts';
import { countIds, fewReadable, type Rows, rowsWithIds, type Selection, smallest } from './selection-store.ts';

/** A part of a list, all of whose rows one index has in the order of the list. */
export interface ListPart {
  /** The conditions by which the index is walked. */
  readonly walked: readonly RawBuilder<unknown>[];
  /** The same for rows that are found otherwise, as expressions that keep SQLite from walking an index. */
  readonly lookedUp: readonly RawBuilder<unknown>[];
  /** Conditions that each row of this part meets if the reader may read it, and that are cheaper to check. */
  readonly hinted: readonly RawBuilder<unknown>[];
  /**
   * Queries for all rows that the reader may read, each row once, by indexes of their own: for a part in which others have rows
   * that the reader must not see. Empty for a part that everybody may read.
   */
  readonly granted: readonly RowsQuery[];
}

/** A filter of a list. */
export interface ListFilter {
  /** The filter as a condition on one row. */
  readonly condition: RawBuilder<unknown>;
  /** Whether the condition is also on the tables beside the row. */
  readonly needsBeside?: boolean;
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
  /** The conditions under which the reader may read a row. */
  readonly readable: readonly RawBuilder<unknown>[];
  /** From the cheapest condition to the most expensive one. */
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
/** If at most this many rows are granted to the reader, they are all read and then sorted. */
const MAX_GRANTED = 5000;

/** The tables beside a list that has none. */
export const ALONE = { tables: sql``, conditions: [] };

type Conditions = readonly RawBuilder<unknown>[];

const allOf = (conditions: Conditions) =>
  conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;

/** The conditions as a number, 1 or 0. None is checked after the first that fails; an `and` of SQLite would check them all. */
const passes = (conditions: Conditions): RawBuilder<unknown> =>
  conditions.reduceRight<RawBuilder<unknown>>(
    (further, each) => sql`case when ${each} then ${further} else 0 end`,
    sql`1`,
  );

const idIn = ({ table }: SortedList) => sql.ref(`${table}.id`);
const columnIn = ({ table, column }: SortedList) => (column === undefined ? undefined : sql.ref(`${table}.${column}`));

const order = (list: SortedList) => {
  const direction = sql.raw(list.direction);
  const column = columnIn(list);
  const byId = sql`${idIn(list)} ${direction}`;
  return column ? sql`${column} ${direction}, ${byId}` : byId;
};

/** The condition that a row is behind a position, in the order of the sorting. */
function isBehind(list: SortedList, { value, id }: Position): RawBuilder<unknown> {
  const column = columnIn(list);
  const comparison = sql.raw(list.direction === 'asc' ? '>' : '<');
  return column
    ? sql`(${column}, ${idIn(list)}) ${comparison} (${value}, ${id})`
    : sql`${idIn(list)} ${comparison} ${id}`;
}

/** All rows of a part, in the order of the index. */
const rowsOf = ({ table }: SortedList, { walked }: ListPart): Rows => ({ from: sql.table(table), conditions: walked });

/** The rows of a part that have the ids of a query. */
const rowsAmong = (executor: ReadExecutor, list: SortedList, part: ListPart, ids: RawBuilder<unknown>): Rows => ({
  from: rowsWithIds(executor, list.table, ids),
  conditions: [sql`${idIn(list)} = selected.id`, ...part.lookedUp],
});

/** The rows of a part that a query returns. */
const rowsFrom = ({ table }: SortedList, { lookedUp }: ListPart, granted: RowsQuery): Rows => ({
  from: sql`(${granted(sql`o.*`)}) as ${sql.table(table)}`,
  conditions: lookedUp,
});

const limited = ({ from, conditions }: Rows, more: Conditions): Rows => ({
  from,
  conditions: [...conditions, ...more],
});

/** The rows with the tables beside them, if a filter needs these. */
const withBeside = ({ beside, filters }: SortedList, rows: Rows): Rows =>
  filters.some(({ needsBeside }) => needsBeside)
    ? { from: sql`${rows.from} ${beside.tables}`, conditions: [...rows.conditions, ...beside.conditions] }
    : rows;

const positionsIn = (list: SortedList) => sql`${columnIn(list) ?? sql.lit(0)} as value, ${idIn(list)} as id`;

interface PositionRow {
  readonly value: number | string;
  readonly id: string;
}

const positionOf = ({ value, id }: PositionRow): Position => ({ value: Number(value), id });

/** Reads the positions of the first rows behind the previous page that pass the filters. */
async function pick(executor: ReadExecutor, list: SortedList, rows: Rows): Promise<Position[]> {
  const { from, conditions } = withBeside(list, rows);
  // What needs no other table is checked before a row is joined.
  const passing = [false, true].flatMap((needsBeside) => {
    const filters = list.filters.filter((filter) => (filter.needsBeside ?? false) === needsBeside);
    return filters.length > 0 ? [sql`${passes(filters.map(({ condition }) => condition))} = 1`] : [];
  });
  const all = [...conditions, ...behind(list), ...passing];
  const picked = await sql<PositionRow>`
    select ${positionsIn(list)} from ${from} where ${allOf(all)}
    order by ${order(list)} limit ${list.limit}`.execute(executor);
  return picked.rows.map(positionOf);
}

const behind = (list: SortedList): Conditions => (list.after ? [isBehind(list, list.after)] : []);

interface Walk {
  readonly found: readonly Position[];
  /** The last of the rows that were looked at; undefined if the list ends before, or if enough were found before. */
  readonly edge: Position | undefined;
}

/**
 * Looks at so many rows behind the previous page, and returns the positions of the first that pass the filters and further
 * conditions. Both engines end it as soon as enough are found.
 */
async function walk(
  executor: ReadExecutor,
  list: SortedList,
  rows: Rows,
  max: number,
  more: Conditions = [],
): Promise<Walk> {
  const { from, conditions } = withBeside(list, rows);
  const passing = passes([...more, ...list.filters.map(({ condition }) => condition)]);
  const looked = await sql<PositionRow & { readonly passes: number; readonly at: number | string }>`
    select value, id, passes, at from (
      select ${positionsIn(list)}, ${passing} as passes, row_number() over (order by ${order(list)}) as at
      from ${from} where ${allOf([...conditions, ...behind(list)])} order by ${order(list)} limit ${sql.lit(max)}
    ) as looked where passes = 1 or at = ${sql.lit(max)} limit ${list.limit + 1}`.execute(executor);
  const last = looked.rows.find(({ at }) => Number(at) === max);
  const found = looked.rows.filter((row) => row.passes === 1).map(positionOf);
  return { found: firstAmong(found, list), edge: last && positionOf(last) };
}

/** A filter that an index answers. */
interface IndexedFilter extends ListFilter {
  readonly ids: RawBuilder<unknown>;
}

const indexed = ({ filters }: SortedList): readonly IndexedFilter[] =>
  filters.flatMap((filter) => (filter.ids ? [{ ...filter, ids: filter.ids }] : []));

const idsOf = (filters: readonly IndexedFilter[]) => filters.map(({ ids }) => ids);

/** Returns those filters that few of the first of some rows pass. */
async function rareAmong(executor: ReadExecutor, list: SortedList, rows: Rows): Promise<readonly IndexedFilter[]> {
  const filters = indexed(list);
  if (filters.length === 0) return [];
  const table = sql.table(list.table);
  const sampled = withBeside(list, {
    from: sql`(
      select * from ${rows.from} where ${allOf([...rows.conditions, ...behind(list)])}
      order by ${order(list)} limit ${sql.lit(MAX_SAMPLED)}
    ) as ${table}`,
    conditions: [],
  });
  const passing = filters.map(({ condition }, at) => sql`sum(${passes([condition])}) as ${sql.ref(`c${at}`)}`);
  const counted = await sql<Readonly<Record<string, number>>>`
    select ${sql.join(passing)} from ${sampled.from} where ${allOf(sampled.conditions)}`.execute(executor);
  return filters.filter((_, at) => Number(counted.rows[0]?.[`c${at}`]) <= MAX_RARE);
}

interface Looked {
  readonly found: readonly Position[];
  /** The last row that was looked at, which the reader may read because the cursor shows it; undefined at the end of the part. */
  readonly until?: Position | undefined;
  /** What the rarest filter leads to, if that was found out; it serves the other parts as well. */
  readonly filter?: Selection | undefined;
}

const isEnough = ({ found }: Pick<Looked, 'found'>, { limit }: SortedList) => found.length === limit;

/** Returns the first of some positions in order, one for each row: a row that changes between two walks is in both. */
function firstAmong(positions: readonly Position[], { direction, limit }: SortedList): Position[] {
  const ids = new Set<string>();
  const distinct = positions.filter(({ id }) => ids.size !== ids.add(id).size);
  return firstOf(distinct, (position) => position, direction, limit);
}

const readableIn = (list: SortedList, { hinted }: ListPart): Conditions => [...hinted, ...list.readable];

/** Looks among the rows of a part that everybody may read. */
async function lookAtPublic(
  executor: ReadExecutor,
  list: SortedList,
  part: ListPart,
  known: Selection | undefined,
): Promise<Looked> {
  const readable = limited(rowsOf(list, part), readableIn(list, part));
  if (list.filters.length === 0) return { found: await pick(executor, list, readable) };
  const tried = list.limit <= MAX_TRIED ? await walk(executor, list, readable, MAX_TRIED) : undefined;
  if (tried && (!tried.edge || isEnough(tried, list))) return tried;
  const rare = idsOf(await rareAmong(executor, list, readable));
  const filter = await smallest(executor, rare, known);
  const among = (ids: RawBuilder<unknown>) => limited(rowsAmong(executor, list, part, ids), readableIn(list, part));
  if (filter) return { found: await pick(executor, list, among(filter.ids)), filter };
  const further = await walk(
    executor,
    { ...list, after: tried?.edge ?? list.after },
    readable,
    tried ? MAX_WALKED - MAX_TRIED : MAX_WALKED,
  );
  const found = firstAmong([...(tried?.found ?? []), ...further.found], list);
  if (!further.edge || isEnough({ found }, list)) return { found };
  const few = await fewReadable(executor, rare, among);
  return few ? { found: await pick(executor, list, among(few)) } : { found, until: further.edge };
}

/** Returns the query for the fewest rows, if these are less than a number. */
async function smallestGrant(executor: ReadExecutor, all: readonly RowsQuery[], bound: number) {
  let [best, least]: [RowsQuery | undefined, number] = [undefined, bound];
  for (const rows of all) {
    const count = await countIds(executor, rows(sql`o.id`), least);
    if (count < least) [best, least] = [rows, count];
  }
  return best;
}

/** Looks among the rows of a part of which the reader may read those that queries grant. */
async function lookAtGranted(
  executor: ReadExecutor,
  list: SortedList,
  part: ListPart,
  known: Selection | undefined,
): Promise<Looked> {
  const readable = readableIn(list, part);
  const [first] = part.granted;
  if (!first) return { found: [] };
  const granted = await smallestGrant(executor, part.granted, known?.count ?? MAX_GRANTED + 1);
  const among = (ids: RawBuilder<unknown>) => limited(rowsAmong(executor, list, part, ids), readable);
  if (granted) return { found: await pick(executor, list, limited(rowsFrom(list, part, granted), readable)) };
  if (known) return { found: await pick(executor, list, among(known.ids)) };
  const walked = await walk(executor, list, rowsOf(list, part), MAX_WALKED, readable);
  if (!walked.edge || isEnough(walked, list)) return { found: walked.found };
  const few = await fewReadable(executor, idsOf(indexed(list)), among);
  if (few) return { found: await pick(executor, list, among(few)) };
  // Rows of others would show in how far a walk gets, so that only those that the reader may read count.
  const { found, edge } = await walk(executor, list, limited(rowsFrom(list, part, first), readable), MAX_WALKED);
  return isEnough({ found }, list) ? { found } : { found, until: edge };
}

const lookAt = (executor: ReadExecutor, list: SortedList, part: ListPart, known?: Selection): Promise<Looked> =>
  (part.granted.length === 0 ? lookAtPublic : lookAtGranted)(executor, list, part, known);

/** Looks among the parts of a list, one after the other, until there is enough. */
async function* lookAtParts(executor: ReadExecutor, list: SortedList, wanted: () => number): AsyncGenerator<Looked> {
  let known: Selection | undefined;
  for (const part of list.parts) {
    const limit = wanted();
    if (limit === 0) return;
    const looked = await lookAt(executor, { ...list, limit }, part, known);
    known ??= looked.filter;
    yield looked;
  }
}

/** Looks among all parts of a list: at once if there are no filters, of which one part tells the next. */
async function lookAtAll(executor: ReadExecutor, list: SortedList): Promise<readonly Looked[]> {
  if (list.filters.length === 0) return Promise.all(list.parts.map((part) => lookAt(executor, list, part)));
  const all: Looked[] = [];
  for await (const looked of lookAtParts(executor, list, () => list.limit)) all.push(looked);
  return all;
}

/** Returns the rows with some ids that the reader may read, as a query for columns of them and of the tables beside them. */
function readableRows(executor: ReadExecutor, list: SortedList, ids: readonly string[], columns: RawBuilder<unknown>) {
  const { table, beside, readable } = list;
  const listed = sql`select value as id from ${unnest(executor, ids)} as listed`;
  return sql`
    select ${columns} from ${rowsWithIds(executor, table, listed)} ${beside.tables}
    where ${allOf([sql`${idIn(list)} = selected.id`, ...beside.conditions, ...readable])}`;
}

/** Returns what a function finds among the first rows of each part of a list, whether few or many of them pass the filters. */
export async function lookAtFirst<Found>(
  executor: ReadExecutor,
  list: SortedList,
  find: (rows: RawBuilder<unknown>) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const columns = sql`${sql.table(list.table)}.*`;
  const results: Found[] = [];
  for (const { found } of await lookAtAll(executor, list)) {
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) results.push(...(await find(readableRows(executor, { ...list, beside: ALONE }, ids, columns))));
  }
  return results;
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
  const all = await lookAtAll(executor, list);
  const found = all.flatMap((looked) => looked.found);
  const [end] = firstAmong(
    all.flatMap(({ until }) => until ?? []),
    list,
  );
  const isUpTo = (position: Position, last: Position | undefined) =>
    !last || comparePositions(position, last, list.direction) <= 0;
  const first = firstAmong(found, list).filter((position) => isUpTo(position, end));
  if (first.length === 0) return { rows: [], until: end };
  const until = first.length === list.limit ? first.at(-1) : end;
  const ids = first.map(({ id }) => id);
  const { rows } = await sql<Row>`${readableRows(executor, list, ids, columns)}`.execute(executor);
  // A row that has moved behind these since it was found is on a later page.
  const here = rows.filter((row) => isUpTo(positionOf(row), until));
  return { rows: firstOf(here, positionOf, list.direction, list.limit), until };
}

/** Returns how many rows the reader may read and pass the filters, among those that a page looks at, up to a maximum. */
export async function countRows(executor: ReadExecutor, list: SortedList, max: number): Promise<number> {
  let count = 0;
  for await (const { found } of lookAtParts(executor, list, () => max - count)) count += found.length;
  return count;
}
