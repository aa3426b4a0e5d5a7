import { setTimeout as pause } from 'node:timers/promises';
import { getNotificationPage } from '@moonbase/client/notifications';
import { gitClient } from '../../packages/server/test/git-client.ts';
import { atPace, createBystander } from '../bystander.ts';
import type { BenchHub } from '../hub.ts';
import type { Scale } from '../scale.ts';
import { type Figure, median, percentile } from '../stats.ts';
import type { FilledRepo, GitClient } from './filled-repo.ts';
import { stallClones } from './stalled-clones.ts';

const PAGES_PER_SECOND = 50;
const QUIET_MS = 4_000;
const PUSHES = 10;

/** Measures what others wait for beside clones that go on and clones that stall. */
export async function besideClones(
  hub: BenchHub,
  client: GitClient,
  repo: FilledRepo,
  { clonesAtOnce, stalledClones }: Scale,
): Promise<Figure[]> {
  const reader = await createBystander(hub.connection);
  const pages = async (work: () => Promise<unknown>) => {
    let isOver = false;
    const worked = work().finally(() => {
      isOver = true;
    });
    const times = await atPace(
      PAGES_PER_SECOND,
      () => isOver,
      () => getNotificationPage(reader),
    );
    await worked;
    return percentile(times, 0.99);
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
  // Those who clone are elsewhere, and do not compete with the hub for its processors.
  await using others = await gitClient({}, 19);
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
  return [
    { name: `${page} ${clonesAtOnce} clones, p99 to without`, ...ratioOf(cloning, quiet) },
    { name: `${page} ${stalled.count} clones that stall, p99 to without`, ...ratioOf(stalledPages, quiet) },
    { name: `a push beside ${stalled.count} clones that stall, median to without`, ...ratioOf(stalledPush, quietPush) },
  ];
}
