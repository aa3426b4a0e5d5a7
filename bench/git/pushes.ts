import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createWebhook } from '@moonbase/client/webhooks';
import type { BenchHub } from '../hub.ts';
import { startReceiver } from '../receivers.ts';
import type { Scale } from '../scale.ts';
import { type Figure, median, percentile, shown } from '../stats.ts';
import type { FilledRepo, GitClient } from './filled-repo.ts';

/** Measures pushes of one file against `git http-backend`, and the time from a push until its delivery. */
export async function pushes(
  hub: BenchHub,
  client: GitClient,
  repo: FilledRepo,
  { reference, scale }: { readonly reference: string; readonly scale: Scale },
): Promise<Figure[]> {
  const arrived = new Map<string, number>();
  await using receiver = await startReceiver('answers', (ref, at) => void arrived.set(ref, at));
  const watched = [{ type: 'model' as const, name: repo.name }];
  await createWebhook({ ...hub.connection, webhook: { url: receiver.url, watched, domains: ['repo'] } });
  const ours: number[] = [];
  const theirs: number[] = [];
  const delays: number[] = [];
  for (let at = 0; at < scale.pushes + WARM_UP; at++) {
    await commitFile(client, repo.clone, at);
    const [before, branch] = [performance.now(), `push-${at}`];
    await client.run(repo.clone, 'push', '--quiet', repo.remote, `HEAD:refs/heads/${branch}`);
    const pushedAt = performance.now();
    await client.run(repo.clone, 'push', '--quiet', reference, `HEAD:refs/heads/${branch}`);
    const endedAt = performance.now();
    for (let tries = 0; !arrived.has(branch) && tries < 500; tries++) await pause(10);
    if (at < WARM_UP) continue;
    ours.push(pushedAt - before);
    theirs.push(endedAt - pushedAt);
    delays.push(Math.max(0, (arrived.get(branch) ?? Number.POSITIVE_INFINITY) - pushedAt));
  }
  return [
    {
      name: 'a push of one file, to git http-backend on the same repository',
      ...{ value: median(theirs) / median(ours), unit: 'ratio', bound: { atLeast: 0.7 } },
      note: `median ${shown(median(ours))} ms to ${shown(median(theirs))} ms, p99 ${shown(percentile(ours, 0.99))} ms to ${shown(percentile(theirs, 0.99))} ms`,
    },
    { name: 'end of a push to first byte of its delivery, median', ...inMs(median(delays), 20) },
    { name: 'end of a push to first byte of its delivery, p99', ...inMs(percentile(delays, 0.99), 120) },
  ];
}

const WARM_UP = 3;
const inMs = (value: number, atMost: number) => ({ value, unit: 'ms' as const, bound: { atMost } });

async function commitFile(client: GitClient, clone: string, at: number): Promise<void> {
  await writeFile(join(client.folder, clone, 'changing.txt'), `The content of change ${at}\n`);
  await client.run(clone, 'add', '--all');
  await client.run(clone, 'commit', '--quiet', '--message', `Change ${at}`);
}
