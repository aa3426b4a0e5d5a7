import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import { onDemand } from '../../on-demand.ts';
import type { DirectReads } from '../direct-reads.ts';
import { nameStatements } from '../named-statements.ts';
import { ConnectionLost } from '../sql-errors.ts';
import { pipelineTransactions } from './pipelined.ts';

/** The number of connections, and of requests that wait for one. */
export type Connections = Readonly<Record<'used' | 'idle' | 'waited_for', number>>;

/** Parses `bigint` and `count` as numbers (all stay below 2^53). */
export const bigintsAsNumbers = {
  // The driver declares an overload for each format; this one serves them all.
  getTypeParser: ((type: number, format: 'text') => {
    const { builtins, getTypeParser } = onDemand('pg').types;
    return type === builtins.INT8 ? Number : getTypeParser(type, format);
  }) as typeof pg.types.getTypeParser,
};

/**
 * PostgreSQL through a pool of connections. An idle connection that breaks is reported and replaced; a query fails after
 * `queryTimeoutMs` without a response (0: never).
 */
export function openPostgres(url: string, onLost: (error: Error) => void, queryTimeoutMs = 30_000) {
  const { Pool } = onDemand('pg');
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    pipeline: true,
    types: bigintsAsNumbers,
  });
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    // A connection that breaks in use fails its query; without a listener the error would also end the process.
    client.on('error', () => {});
    // Compiling a query whose rows PostgreSQL overestimates takes a hundred times as long as running it.
    client.query('set jit = off').catch(() => {});
  });
  nameStatements(pool);
  settleFaults(pool);
  pipelineTransactions(pool);
  return {
    dialect: new PostgresDialect({ pool }),
    reads: readsOf(pool),
    connections: (): Connections => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waited_for: pool.waitingCount,
    }),
  };
}

const readsOf = (pool: pg.Pool): DirectReads => ({
  async executeQuery({ sql, parameters }) {
    const client = await pool.connect();
    try {
      const { rows } = await client.query(sql, [...parameters]);
      return { rows };
    } finally {
      client.release();
    }
  },
});

/** Errors of the driver about a broken connection have no code or a socket code; errors of PostgreSQL keep theirs. */
function settleFaults(pool: pg.Pool): void {
  const { DatabaseError } = onDemand('pg');
  const tell = (error: unknown): never => {
    if (error instanceof DatabaseError || error instanceof TypeError) throw error;
    throw new ConnectionLost(error instanceof Error ? error.message : String(error), { cause: error });
  };
  const connect = pool.connect.bind(pool);
  Object.assign(pool, { connect: () => connect().catch(tell) });
  pool.on('connect', (client) => {
    // The pool calls only this overload of the driver.
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
    const settled = (text: string, values?: unknown[]) =>
      query(text, values).catch((error: unknown) => {
        // The driver has cut this connection: the pool must not lend it again.
        if (isTimeout(error)) void client.end().catch(() => {});
        return tell(error);
      });
    Object.assign(client, { query: settled });
  });
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';
