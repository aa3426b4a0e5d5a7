import type { Progress, Summary } from '@moonbase/server/backup';
import type { Config } from '@moonbase/server/config';
import { reasonOf, UsageError } from './failure.ts';
import type { Terminal } from './terminal.ts';

/*
 * Commands that work on the database itself, on its machine and with the settings of its hub. Their code is loaded when
 * they run.
 */

/** The settings of the hub, from the environment. */
export async function settingsOf(terminal: Terminal): Promise<Config> {
  const { readConfig } = await import('@moonbase/server/config');
  try {
    return readConfig(terminal.env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/**
 * Runs the work and answers the exit status: 1 with a sentence where it is refused, or the database or the disk fails.
 * `cannot` begins that sentence where the reason alone does not say what is meant.
 */
export async function refusable(terminal: Terminal, cannot: string, work: () => Promise<void>): Promise<0 | 1> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.err('code' in error ? `${cannot}: ${reasonOf(error)}\n` : `${error.message}\n`);
    return 1;
  }
}

/** Refusals are plain errors; failures of the system and of databases have a code. Others are mistakes of the program. */
const isExpected = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof UsageError) &&
  (['Error', 'BackupError'].includes(error.name) || 'code' in error);

const LINE_EVERY_MS = 200;

/** A line on a terminal that tells how far the work is; elsewhere nothing. */
export function progressLine(doing: string, terminal: Terminal, show: boolean) {
  let next = 0;
  return {
    show: ({ table, rows }: Progress): void => {
      if (!show || performance.now() < next) return;
      next = performance.now() + LINE_EVERY_MS;
      terminal.err(`\r\u001b[K${doing} ${table}: ${rows.toLocaleString('en')} rows`);
    },
    end: (): void => {
      if (show) terminal.err('\r\u001b[K');
    },
  };
}

/** What a backup holds, for other programs. */
export const summaryJson = ({ header, tables, rows }: Summary) => ({
  createdAt: header.createdAt,
  version: header.version,
  engine: header.engine,
  schema: header.migrations.at(-1),
  rows,
  tables,
});
