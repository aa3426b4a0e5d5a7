import type { Progress, Summary } from '@moonbase/server/backup';
import type { Config } from '@moonbase/server/config';
import { settingsOf } from './hub-settings.ts';
import { FailedError, reasonOf, UsageError } from './program/failure.ts';
import { withProgress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/*
 * Commands that work on the database itself, on its machine and with the settings of its hub. Their code is loaded when
 * they run.
 */

interface DatabaseWork<Result> {
  readonly doing: string;
  /** Begins the sentence about a failure of the system or the database, which does not say what is meant. */
  readonly cannot: string;
  readonly json: boolean;
  readonly work: (told: (progress: Progress) => void) => Promise<Result>;
}

const LINE_EVERY_MS = 200;

/** The configuration of the hub, from the environment and what options set of it. */
export async function configOf(options: Readonly<Record<string, string | undefined>>, terminal: Terminal) {
  const { readConfig } = await import('@moonbase/server/config');
  try {
    return readConfig(settingsOf(options, terminal)) as Config;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Shows how far the work is, and says in a sentence why it was refused or failed. */
export async function onDatabase<Result>(terminal: Terminal, { doing, cannot, json, work }: DatabaseWork<Result>) {
  let next = 0;
  const quiet = json ? { ...terminal, isErrorTerminal: false } : terminal;
  try {
    return await withProgress(quiet, (show) =>
      work(({ table, rows }) => {
        if (performance.now() < next) return;
        next = performance.now() + LINE_EVERY_MS;
        show(`${doing} ${table}: ${rows.toLocaleString('en')} rows`);
      }),
    );
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new FailedError('code' in error ? `${cannot}: ${reasonOf(error)}` : error.message);
  }
}

/** Refusals are plain errors; failures of the system and of databases have a code. Others are mistakes of the program. */
const isExpected = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof UsageError) &&
  (['Error', 'BackupError'].includes(error.name) || 'code' in error);

/** What a backup holds, for other programs. */
export const summaryJson = ({ header, tables, rows }: Summary) => ({
  createdAt: header.createdAt,
  version: header.version,
  engine: header.engine,
  schema: header.migrations.at(-1),
  rows,
  tables,
});
