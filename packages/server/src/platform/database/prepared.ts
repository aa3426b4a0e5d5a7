import { type Compilable, CompiledQuery, type RawBuilder, sql } from 'kysely';
import { directReads } from './direct-reads.ts';
import { nameFixedText } from './named-statements.ts';
import { isPostgres, type ReadExecutor } from './transaction.ts';

/** Returns a query for an SQL text whose rows have the stated type. */
// Kysely cannot know the type of the rows of a text.
export const rawQuery = <Row>(text: string, values: readonly unknown[] = []): CompiledQuery<Row> =>
  CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>;

/** A placeholder for a value that is given when the query runs. */
class Argument<Args> {
  readonly of: (args: Args) => unknown;
  constructor(of: (args: Args) => unknown) {
    this.of = of;
  }
}

/** Returns the placeholder of the argument with that name. */
export type Placeholder<Args> = <Name extends keyof Args & string>(name: Name) => RawBuilder<Args[Name]>;

type Build<From, Args, Row> = (executor: From, argument: Placeholder<Args>) => Compilable<Row> | RawBuilder<Row>;

/**
 * A query that is built and compiled once per engine, for queries of every request: building one costs as much as SQLite
 * takes to run it. `build` gets a placeholder for each argument and must not inspect it; if `build` takes an `Executor`
 * for writing, so does the query.
 */
export function prepared<Args extends object>() {
  return <Row, From extends ReadExecutor = ReadExecutor>(
    build: Build<From, Args, Row>,
  ): ((executor: From, args: Args) => Promise<Row[]>) => {
    const compiled = new Map<boolean, CompiledQuery<Row>>();
    const compile = (executor: From): CompiledQuery<Row> => {
      const built = build(executor, (name) => sql`${new Argument((args: Args) => args[name])}`);
      const query = 'isRawBuilder' in built ? built.compile(executor) : built.compile();
      nameFixedText(query.sql);
      compiled.set(isPostgres(executor), query);
      return query;
    };
    return async (executor, args) => {
      const query = compiled.get(isPostgres(executor)) ?? compile(executor);
      const parameters = query.parameters.map((value) => (value instanceof Argument ? value.of(args) : value));
      const given = { ...query, parameters };
      const direct = directReads(executor);
      const { rows } = await (direct ? direct.executeQuery<Row>(given) : executor.executeQuery<Row>(given));
      return rows;
    };
  };
}

/** Returns the values of a row whose columns are arguments. */
export const argumentsFor = <Row>(columns: readonly (keyof Row & string)[], argument: Placeholder<Row>) =>
  // Object.fromEntries loses the names of the keys.
  Object.fromEntries(columns.map((column) => [column, argument(column)])) as {
    [Column in keyof Row]: RawBuilder<Row[Column]>;
  };

/** Returns the values themselves, for a query that runs at once. */
export const immediateValues =
  <Args>(values: Args) =>
  (name: keyof Args): RawBuilder<unknown> =>
    sql`${values[name]}`;
