import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { nameStatements } from './named-statements.ts';
import { ConnectionLost } from './sql-errors.ts';

const { builtins, getTypeParser } = pg.types;

/** How many connections there are, and how many requests wait for one. */
export type Connections = Readonly<Record<'used' | 'idle' | 'waited_for', number>>;

/** `bigint` and `count` come as numbers (all stay below 2^53). */
export const bigintsAsNumbers = {
  getTypeParser: ((type: number, format: 'text') =>
    type === builtins.INT8 ? Number : getTypeParser(type, format)) as typeof getTypeParser,
};

/**
 * PostgreSQL through a pool of connections. One that breaks while nobody uses it is reported and replaced; a query ends
 * after `queryTimeoutMs` without an answer, with 0 never.
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
  // One that breaks while it is used fails what was asked; without a listener it would end the process as well.
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

/** What the driver says of a broken connection has no code, or that of a socket; what PostgreSQL says keeps its own. */
function tellLostConnections(pool: pg.Pool): void {
  const tell = (error: unknown): never => {
    if (error instanceof pg.DatabaseError || error instanceof TypeError) throw error;
    throw new ConnectionLost(error instanceof Error ? error.message : String(error), { cause: error });
  };
  const connect = pool.connect.bind(pool);
  Object.assign(pool, { connect: () => connect().catch(tell) });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
    Object.assign(client, { query: (text: string, values?: unknown[]) => query(text, values).catch(tell) });
  });
}
