import { PostgresDialect } from 'kysely';
import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

/** PostgreSQL through a pool of connections; `bigint` and `count` come as numbers (all stay below 2^53). */
export function openPostgres(url: string): PostgresDialect {
  const parser = ((type: number, format: 'text') =>
    type === builtins.INT8 ? Number : getTypeParser(type, format)) as typeof getTypeParser;
  return new PostgresDialect({
    pool: new pg.Pool({
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: 10_000,
      types: { getTypeParser: parser },
    }),
  });
}
