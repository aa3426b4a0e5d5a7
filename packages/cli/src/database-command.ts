import type { Progress, Summary } from '@moonbase/server/backup';
import type { Config } from '@moonbase/server/config';
import { settingsOf } from './hub-settings.ts';
import { FailedError, reasonOf, UsageError } from './program/failure.ts';
import { withProgress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/*
 * Commands that work on the database itself, on its machine and with the settings of its hub. The code of the server is
 * loaded when such a command runs.
 */

interface DatabaseWork<Result> {
  readonly doing: string;
  /** The beginning of the sentence about a failure of the system or the database. */
  readonly cannot: string;
  readonly json: boolean;
  readonly work: (onProgress: (progress: Progress) => void) => Promise<Result>;
}

const PROGRESS_INTERVAL_MS = 200;

/** Reads the configuration of the hub from the environment and the options of the command. */
export async function configOf(options: Readonly<Record<string, string | undefined>>, terminal: Terminal) {
  const { readConfig } = await import('@moonbase/server/config');
  try {
    const config: Config = readConfig(settingsOf(options, terminal));
    return config;
  } catch (error) {
    throw new UsageError(reasonOf(error));
  }
}

/** Runs the work and shows its progress. Throws a `FailedError` with a sentence if the work fails or is refused. */
export async function onDatabase<Result>(terminal: Terminal, { doing, cannot, json, work }: DatabaseWork<Result>) {
  let next = 0;
  const quiet = json ? { ...terminal, isErrorTerminal: false } : terminal;
  try {
    return await withProgress(quiet, (show) =>
      work(({ table, rows }) => {
        if (performance.now() < next) return;
        next = performance.now() + PROGRESS_INTERVAL_MS;
        show(`${doing} ${table}: ${rows.toLocaleString('en')} rows`);
      }),
    );
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new FailedError('code' in error ? `${cannot}: ${reasonOf(error)}` : error.message);
  }
}

/**
 * Returns whether an error is an expected refusal, a plain error, and not a failure of the system or the database,
 * which has a code.
 */
const isExpected = (error: unknown): error is Error =>
  error instanceof Error &&
  !(error instanceof UsageError) &&
  (['Error', 'BackupError'].includes(error.name) || 'code' in error);

/** Returns the summary of a backup as `--json` prints it. */
export const summaryJson = ({ header, tables, rows }: Summary) => ({
  createdAt: header.createdAt,
  version: header.version,
  engine: header.engine,
  schema: header.migrations.at(-1),
  rows,
  tables,
});
