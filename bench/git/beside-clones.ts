import { setTimeout as pause } from 'node:timers/promises';
import { getNotificationPage } from '@moonbase/client/notifications';
import { atPace, createBystander } from '../bystander.ts';
import { nextLine, startChild } from '../child.ts';
import type { BenchHub } from '../hub.ts';
import type { Scale } from '../scale.ts';
import { type Figure, median, percentile } from '../stats.ts';
import type { FilledRepo, GitClient } from './filled-repo.ts';
import { stallClones } from './stalled-clones.ts';

const PAGES_PER_SECOND = 50;
const QUIET_MS = 4_000;
const PUSHES = 10;

/** The slowest hundredth of pages, in ms. */
interface Waits {
  readonly ours: number;
  readonly bare: number;
}

/** Measures what others wait for beside clones that go on and clones that stall. */
export async function besideClones(
  hub: BenchHub,
  { client, others }: { readonly client: GitClient; readonly others: GitClient },
  repo: FilledRepo,
  { clonesAtOnce, stalledClones }: Scale,
): Promise<Figure[]> {
  const reader = await createBystander(hub.connection);
  // A server that serves the same page from memory waits for the processors as the hub does.
  await using bare = startChild('bare-list.ts', [JSON.stringify(await getNotificationPage(reader))]);
  const bareUrl = await nextLine(bare);
  const pages = async (work: () => Promise<unknown>): Promise<Waits> => {
    let isOver = false;
    const worked = work().finally(() => {
      isOver = true;
    });
    const timesOf = (ask: () => Promise<unknown>) => atPace(PAGES_PER_SECOND, () => isOver, ask);
    const [ours, bares] = await Promise.all([
      timesOf(() => getNotificationPage(reader)),
      timesOf(async () => (await fetch(bareUrl)).text()),
    ]);
    await worked;
    return { ours: percentile(ours, 0.99), bare: percentile(bares, 0.99) };
  };
  let pushed = 0;
  const pushTime = async () => {
    const times: number[] = [];
    for (let at = 0; at < PUSHES; at++) {
      const startedAt = performance.now();
      await client.run(repo.clone, 'push', '--quiet', repo.remote, `HEAD:refs/heads/beside-${pushed++}`);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  const cloneAll = () =>
    Promise.all(
      Array.from({ length: clonesAtOnce }, (_, at) =>
        others.run('.', 'clone', '--quiet', '--bare', repo.remote, `beside-${at}`),
      ),
    );
  const quiet = await pages(() => pause(QUIET_MS));
  const cloning = await pages(cloneAll);
  const quietPush = await pushTime();
  const head = await client.run(repo.clone, 'ls-remote', repo.remote, 'refs/heads/main');
  using stalled = await stallClones(hub, repo.name, head.slice(0, 40), stalledClones);
  const stalledPages = await pages(() => pause(QUIET_MS));
  const stalledPush = await pushTime();
  const ratioOf = (busy: number, before: number): Pick<Figure, 'value' | 'unit' | 'bound' | 'rounds' | 'note'> => ({
    ...{ value: busy / before, unit: 'ratio', bound: { atMost: 2 }, rounds: [[busy, before]] },
    note: `${busy.toFixed(1)} ms to ${before.toFixed(1)} ms`,
  });
  const page = 'a page of the inbox of another client beside';
  const pagesBeside = (what: string, busy: Waits): Figure[] => [
    { name: `${page} ${what}, p99 to without`, ...ratioOf(busy.ours, quiet.ours) },
    { name: `${page} ${what}, p99 to that of a bare server`, ...{ value: busy.ours / busy.bare, unit: 'ratio' } },
  ];
  return [
    ...pagesBeside(`${clonesAtOnce} clones`, cloning),
    ...pagesBeside(`${stalled.count} clones that stall`, stalledPages),
    { name: `a push beside ${stalled.count} clones that stall, median to without`, ...ratioOf(stalledPush, quietPush) },
  ];
}
