import { type Compilable, CompiledQuery, type RawBuilder, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from './transaction.ts';

/** Stands in a query for a value that is given when it runs. */
class Argument {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Stands for the argument of that name. */
export type Placeholder<Args> = <Name extends keyof Args & string>(name: Name) => RawBuilder<Args[Name]>;

type Build<From, Args, Row> = (executor: From, argument: Placeholder<Args>) => Compilable<Row>;

/**
 * A query that is built and compiled once for each engine, for those that every request makes: building costs as much
 * as SQLite takes to answer. `build` gets a placeholder for each argument and must not look into it; one that writes
 * takes an `Executor`, and so does the query.
 */
export function prepared<Args extends object>() {
  return <Row, From extends ReadExecutor = ReadExecutor>(
    build: Build<From, Args, Row>,
  ): ((executor: From, args: Args) => Promise<Row[]>) => {
    const compiled = new Map<boolean, CompiledQuery>();
    return async (executor, args) => {
      const postgres = isPostgres(executor);
      const query = compiled.get(postgres) ?? build(executor, (name) => sql`${new Argument(name)}`).compile();
      compiled.set(postgres, query);
      const values = query.parameters.map((value) =>
        value instanceof Argument ? args[value.name as keyof Args] : value,
      );
      const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(query.sql, values) as CompiledQuery<Row>);
      return rows;
    };
  };
}

/** The values of a row whose columns are arguments. */
export const argumentsFor = <Row>(columns: readonly (keyof Row & string)[], argument: Placeholder<Row>) =>
  Object.fromEntries(columns.map((column) => [column, argument(column)])) as {
    [Column in keyof Row]: RawBuilder<Row[Column]>;
  };

/** The same for a query that runs at once: the values themselves. */
export const given =
  <Args>(values: Args) =>
  (name: keyof Args): RawBuilder<unknown> =>
    sql`${values[name]}`;
