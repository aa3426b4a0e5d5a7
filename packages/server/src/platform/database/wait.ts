import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqlFault } from './sql-errors.ts';
import type { Database } from './transaction.ts';

const PAUSE_MS = 1000;

/** Errors of TLS, which no waiting mends. */
const TLS = /CERT|SSL|TLS/i;

interface Waiting {
  readonly waitMs: number;
  /** Called once, when the first try fails. */
  readonly onWaiting: (error: unknown) => void;
}

/** Waits until a database can be used. Throws the last error when the time is over, and at once one that stays. */
export async function waitForDatabase({ read }: Database, { waitMs, onWaiting }: Waiting): Promise<void> {
  const until = performance.now() + waitMs;
  for (let tries = 1; ; tries++) {
    try {
      await sql`select 1`.execute(read);
      return;
    } catch (error) {
      const left = until - performance.now();
      if (!mayPass(error) || left <= 0) throw error;
      if (tries === 1) onWaiting(error);
      await pause(Math.min(left, PAUSE_MS));
    }
  }
}

/** Returns the version of a PostgreSQL server as a number, `150018` for 15.18. */
export async function postgresVersion({ read }: Database): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
    read,
  );
  return Number(rows[0]?.version);
}

const mayPass = (error: unknown): boolean =>
  sqlFault(error) === 'unavailable' && !(error instanceof Error && TLS.test(`${textOf(error.cause)} ${error.message}`));

const textOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '');
