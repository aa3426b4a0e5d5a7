import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { nameStatements } from './named-statements.ts';
import { ConnectionLost } from './sql-errors.ts';

const { builtins, getTypeParser } = pg.types;

/** The number of connections, and of requests that wait for one. */
export type Connections = Readonly<Record<'used' | 'idle' | 'waited_for', number>>;

/** Parses `bigint` and `count` as numbers (all stay below 2^53). */
export const bigintsAsNumbers = {
  // The driver declares an overload for each format; this one serves them all.
  getTypeParser: ((type: number, format: 'text') =>
    type === builtins.INT8 ? Number : getTypeParser(type, format)) as typeof getTypeParser,
};

/**
 * PostgreSQL through a pool of connections. An idle connection that breaks is reported and replaced; a query fails after
 * `queryTimeoutMs` without a response (0: never).
 */
export function openPostgres(url: string, onLost: (error: Error) => void, queryTimeoutMs = 30_000) {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    types: bigintsAsNumbers,
  });
  pool.on('error', onLost);
  // A connection that breaks in use fails its query; without a listener the error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  nameStatements(pool);
  tellLostConnections(pool);
  return {
    dialect: new PostgresDialect({ pool }),
    connections: (): Connections => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waited_for: pool.waitingCount,
    }),
  };
}

/** Errors of the driver about a broken connection have no code or a socket code; errors of PostgreSQL keep theirs. */
function tellLostConnections(pool: pg.Pool): void {
  const tell = (error: unknown): never => {
    if (error instanceof pg.DatabaseError || error instanceof TypeError) throw error;
    throw new ConnectionLost(error instanceof Error ? error.message : String(error), { cause: error });
  };
  const connect = pool.connect.bind(pool);
  Object.assign(pool, { connect: () => connect().catch(tell) });
  pool.on('connect', (client) => {
    // The pool calls only this overload of the driver.
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
    Object.assign(client, { query: (text: string, values?: unknown[]) => query(text, values).catch(tell) });
  });
}
