import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { nameStatements } from './named-statements.ts';

const { builtins, getTypeParser } = pg.types;

/** How many connections there are, and how many requests wait for one. */
export type Connections = Readonly<Record<'used' | 'idle' | 'waited_for', number>>;

/**
 * PostgreSQL through a pool of connections; `bigint` and `count` come as numbers (all stay below 2^53).
 * A connection that breaks while nobody uses it is reported and replaced; a query ends after 30 s without an answer.
 */
export function openPostgres(url: string, onLost: (error: Error) => void) {
  const parser = ((type: number, format: 'text') =>
    type === builtins.INT8 ? Number : getTypeParser(type, format)) as typeof getTypeParser;
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
    keepAlive: true,
    types: { getTypeParser: parser },
  });
  pool.on('error', onLost);
  // One that breaks while it is used fails what was asked; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  nameStatements(pool);
  return {
    dialect: new PostgresDialect({ pool }),
    connections: (): Connections => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waited_for: pool.waitingCount,
    }),
  };
}
