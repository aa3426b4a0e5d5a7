import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getRepoStorage, maintainRepo } from '@moonbase/client/content';
import { createRepo, deleteBranch } from '@moonbase/client/repositories';
import { atPace } from './bystander.ts';
import { commitOneByOne } from './content/commits.ts';
import { ACCESS_TOKEN, type BenchHub, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { type Figure, median } from './stats.ts';

const REPO = { type: 'model', repo: 'admin/history' } as const;
const READS_PER_SECOND = 20;
const QUIET_MS = 10_000;
const LOOSE_COMMITS = 150;
const FOLDERS = 100;

/** Measures the upkeep of a repository with a long history, and what reads and pushes wait for it. */
export async function benchUpkeep({ upkeepCommits }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await createRepo({ ...hub.connection, ...REPO });
  await using clone = await cloneWithHistory(hub, upkeepCommits);
  await commitOneByOne(hub, REPO.repo, LOOSE_COMMITS, 'loose');
  const quiet = await measured(hub, clone, () => pause(QUIET_MS));

  const packing = await measured(hub, clone, () => maintained(hub));
  await deleteBranch({ ...hub.connection, ...REPO, branch: 'side' });
  // No rest after the first run.
  await hub.side.run('update git_upkeep set maintained_at = null, tried_at = null');
  const pruning = await measured(hub, clone, () => maintained(hub));
  const commits = `${upkeepCommits.toLocaleString('en')} commits`;
  const beside = (what: 'reads' | 'pushes', run: Measured, name: string): Figure => {
    const [busy, calm] = [Math.max(...run[what]), Math.max(...quiet[what])];
    return {
      name: `the longest of the ${what} beside ${name}, less the longest without`,
      ...{ value: Math.max(0, busy - calm), unit: 'ms', bound: { atMost: 100 } },
      note: `${busy.toFixed(0)} ms to ${calm.toFixed(0)} ms, median ${median(run[what]).toFixed(0)} ms to ${median(quiet[what]).toFixed(0)} ms, of ${run[what].length}`,
    };
  };
  return [
    { name: `upkeep of a repository with ${commits}: packing`, value: packing.tookMs, unit: 'ms' },
    {
      name: `upkeep of a repository with ${commits}: setting unreachable objects apart`,
      value: pruning.tookMs,
      unit: 'ms',
    },
    beside('reads', packing, 'packing'),
    beside('pushes', packing, 'packing'),
    beside('reads', pruning, 'setting apart'),
    beside('pushes', pruning, 'setting apart'),
  ];
}

/** Requests maintenance and waits for its end. */
async function maintained(hub: BenchHub): Promise<void> {
  await maintainRepo({ ...hub.connection, ...REPO });
  for (;;) {
    const { maintenance } = await getRepoStorage({ ...hub.connection, ...REPO });
    if (maintenance.fault !== undefined) throw new Error(maintenance.fault);
    if (maintenance.requestedAt === undefined) return;
    await pause(100);
  }
}

interface Measured {
  readonly tookMs: number;
  /** The milliseconds of each read and each push. */
  readonly reads: readonly number[];
  readonly pushes: readonly number[];
}

/** Reads and pushes until the work is done. */
async function measured(hub: BenchHub, clone: Clone, work: () => Promise<void>): Promise<Measured> {
  let isOver = false;
  const startedAt = performance.now();
  const working = work().finally(() => {
    isOver = true;
  });
  const read = async (at: number) => {
    const url = `${hub.url.href}${REPO.repo}/resolve/main/folder-${at % FOLDERS}/file.txt`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } });
    if (answer.status !== 200) throw new Error(`A read was answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  const pushing = (async () => {
    const times: number[] = [];
    while (!isOver) times.push(await clone.push());
    return times;
  })();
  const reads = await atPace(READS_PER_SECOND, () => isOver, read);
  await working;
  const tookMs = performance.now() - startedAt;
  return { tookMs, reads, pushes: await pushing };
}

interface Clone extends AsyncDisposable {
  /** Pushes one commit to a branch of its own; returns how long it took. */
  push(): Promise<number>;
}

/** Fills a repository by a push from a clone: a history on `main`, and a branch `side` beside it. */
async function cloneWithHistory(hub: BenchHub, commits: number): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-clone-'));
  const environment = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const own = ['-C', folder, '-c', 'user.name=Admin', '-c', 'user.email=admin@example.com'];
  const git = async (...args: string[]) => {
    const options = { env: environment, maxBuffer: 2 ** 28 };
    const { stdout } = await promisify(execFile)('git', [...own, ...args], options);
    return stdout.trim();
  };
  const remote = new URL(`${hub.url.href}${REPO.repo}`);
  remote.username = 'admin';
  remote.password = ACCESS_TOKEN;
  await git('clone', '--quiet', remote.href, '.');
  const importing = promisify(execFile)('git', [...own, 'fast-import', '--quiet', '--force'], { env: environment });
  const begin = await git('rev-parse', 'HEAD');
  for (let at = 0; at < commits; at++) {
    const ref = at < commits - 100 ? 'refs/heads/filled' : 'refs/heads/side';
    const from = at === 0 ? `from ${begin}\n` : at === commits - 100 ? 'from refs/heads/filled\n' : '';
    const text = `The text of commit ${at}\n`;
    const lines = `commit ${ref}\ncommitter Admin <admin@example.com> ${1_700_000_000 + at} +0000\ndata 6\nChange\n${from}`;
    const file = `M 644 inline folder-${at % FOLDERS}/file.txt\ndata ${text.length}\n${text}\n`;
    if (!importing.child.stdin?.write(lines + file))
      await new Promise((resolve) => importing.child.stdin?.once('drain', resolve));
  }
  importing.child.stdin?.end();
  await importing;
  await git('push', '--quiet', 'origin', 'refs/heads/filled:refs/heads/main', 'refs/heads/side');
  await git('checkout', '--quiet', '-b', 'pushed', 'filled');
  let made = 0;
  return {
    async push() {
      await writeFile(join(folder, 'pushed.txt'), `${made++}`);
      await git('add', 'pushed.txt');
      await git('commit', '--quiet', '--message', 'One more');
      const startedAt = performance.now();
      await git('push', '--quiet', 'origin', 'HEAD:refs/heads/pushed');
      return performance.now() - startedAt;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
