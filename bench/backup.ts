import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createBranch } from '@moonbase/client/repositories';
import { createTestDatabase } from '../packages/server/test/test-database.ts';
import { startMoonbase } from '../test/moonbase-process.ts';
import { nextLine, startChild } from './child.ts';
import { REPOS, watchedRepos } from './deliveries.ts';
import { fillLog } from './full-log.ts';
import { type BenchHub, engine, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile } from './stats.ts';

const CHANGES_PER_SECOND = 50;
/** The rows of one log entry: the delivery, its attempt, and a tenth of its event. */
const ROWS_PER_ENTRY = 2.1;

/** Makes changes at an even pace until `until` is done; returns the duration of each. */
async function changes(hub: BenchHub, prefix: string, until: Promise<unknown>): Promise<number[]> {
  let over = false;
  void until.finally(() => {
    over = true;
  });
  const times: Promise<number>[] = [];
  const beganAt = performance.now();
  for (let at = 0; !over; at++) {
    const startedAt = performance.now();
    const change = { type: 'model', repo: REPOS[at % REPOS.length] ?? '', branch: `${prefix}-${at}` } as const;
    times.push(createBranch({ ...hub.connection, ...change }).then(() => performance.now() - startedAt));
    await pause(Math.max(1, beganAt + ((at + 1) * 1000) / CHANGES_PER_SECOND - performance.now()));
  }
  return Promise.all(times);
}

/** Runs the command; returns its duration and its peak memory. */
async function run(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const { child, ended } = startMoonbase(args, settings);
  let peak = 0;
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  };
  const timer = setInterval(() => void look(), 50);
  const { status, err } = await ended.finally(() => clearInterval(timer));
  if (status !== 0) throw new Error(`moonbase ${args.join(' ')}: ${err}`);
  return { ms: performance.now() - startedAt, peak };
}

/** Measures a backup of a hub under changes, and its restoration into an empty database. */
export async function benchBackup({ backupRows, latencySeconds }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await using empty = await createTestDatabase('empty');
  await using sink = startChild('sink.ts');
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-backup-'));
  try {
    const webhooks = await watchedRepos(hub, [await nextLine(sink)]);
    await fillLog(hub, Math.ceil(backupRows / ROWS_PER_ENTRY), webhooks);
    const file = join(folder, 'hub.backup');
    const old = settingsOf(hub);
    const log = async () =>
      'folder' in hub.database ? await megabytes(join(hub.database.folder, 'moonbase.db-wal')) : 0;

    const alone = await changes(hub, 'alone', pause(latencySeconds * 1000));
    const logBefore = await log();
    const backup = run(['backup', file], old);
    const beside = await changes(hub, 'beside', backup);
    const logAfter = await log();
    const { MOONBASE_SECRET_KEY } = { ...old, ...('folder' in hub.database && (await keyOf(hub.database.folder))) };
    const target = {
      ...empty.environment,
      ...(engine === 'sqlite' && { MOONBASE_DATA_DIR: folder }),
      MOONBASE_SECRET_KEY,
    };
    const restore = await run(['restore', file], target as Record<string, string>);

    const name = `of ${backupRows.toLocaleString('en')} rows`;
    const { ms, peak } = await backup;
    return [
      { name: `backup ${name}, memory`, value: peak, unit: 'MB', bound: { atMost: 300 } },
      { name: `restore ${name}, memory`, value: restore.peak, unit: 'MB', bound: { atMost: 300 } },
      { name: `backup ${name}`, value: ms, unit: 'ms' },
      { name: `restore ${name}`, value: restore.ms, unit: 'ms' },
      { name: `backup ${name}, file`, value: await megabytes(file), unit: 'MB' },
      { name: 'change beside a backup, median', value: median(beside), unit: 'ms', rounds: [[median(alone)]] },
      {
        name: 'change beside a backup, p99',
        value: percentile(beside, 0.99),
        unit: 'ms',
        rounds: [[percentile(alone, 0.99)]],
      },
      {
        name: 'change beside a backup, slowest',
        value: Math.max(...beside),
        unit: 'ms',
        bound: { atMost: 1000 },
        rounds: [[Math.max(...alone)]],
      },
      ...(engine === 'sqlite'
        ? [{ name: 'growth of the log during a backup', value: logAfter - logBefore, unit: 'MB' } as const]
        : []),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const megabytes = async (file: string): Promise<number> => (await stat(file)).size / 2 ** 20;

const keyOf = async (folder: string) => ({
  MOONBASE_SECRET_KEY: (await readFile(join(folder, 'secret.key'), 'utf8')).trim(),
});

const settingsOf = ({ database }: BenchHub): Record<string, string> =>
  'folder' in database
    ? { MOONBASE_DATA_DIR: database.folder }
    : { MOONBASE_DATABASE_URL: database.url, MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken' };
