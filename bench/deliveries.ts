import { setTimeout as pause } from 'node:timers/promises';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { nextLine, startChild } from './child.ts';
import { ACCESS_TOKEN, type BenchHub, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';

const WEBHOOKS = 10;
const IN_FLIGHT = 32;

/** The repositories that are changed, in turn: changes of one follow each other. */
export const REPOS = Array.from({ length: 20 }, (_, at) => `admin/model-${at}`);

/** Branches with names that did not exist before. */
export function newBranches(hub: BenchHub, prefix: string, repos: readonly string[] = REPOS): () => string {
  let made = 0;
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' };
  return () => {
    made += 1;
    const path = `/api/models/${repos[made % repos.length]}/branch/${prefix}-${made}`;
    return requestBytes(hub.url, 'POST', path, headers, '{}');
  };
}

/** Repositories, each watched by a webhook for every URL. */
export async function watchedRepos(hub: BenchHub, urls: readonly string[], repos: readonly string[] = REPOS) {
  for (const repo of repos) {
    await createRepo({ ...hub.connection, type: 'model', repo });
    for (const url of urls)
      await createWebhook({
        ...hub.connection,
        webhook: { url, watched: [{ type: 'model', name: repo }], domains: ['repo'], secret: 'a secret' },
      });
  }
}

/** Resolves when every delivery is recorded as done; throws when that takes longer than `limitMs`. */
export async function allRecorded(hub: BenchHub, limitMs: number): Promise<void> {
  const open = `select (select count(*) from events where done_at is null)
    + (select count(*) from deliveries where status = 'pending')`;
  for (const deadline = Date.now() + limitMs; (await hub.side.number(open)) > 0; await pause(20))
    if (Date.now() > deadline) throw new Error('Deliveries are still pending');
}

/** One round: changes over the API until `deliveries` are made, to the last one recorded; deliveries per second. */
export async function deliveriesPerSecond(hub: BenchHub, deliveries: number, prefix: string): Promise<number> {
  const startedAt = performance.now();
  await load({
    url: hub.url,
    connections: 8,
    requests: deliveries / WEBHOOKS,
    next: newBranches(hub, prefix),
  });
  const a = performance.now();
  await allRecorded(hub, 120_000);
  const all = performance.now() - startedAt;
  if (process.env.VERBOSE) console.log('  changes took', Math.round(a - startedAt), 'all', Math.round(all));
  return deliveries / (all / 1000);
}

export async function benchDeliveries(deliveries: number, rounds: number) {
  await using hub = await startBenchHub();
  await using sink = startChild('sink.ts');
  const sinkUrl = await nextLine(sink);
  await watchedRepos(
    hub,
    Array.from({ length: WEBHOOKS }, () => sinkUrl),
  );
  await deliveriesPerSecond(hub, deliveries / 4, 'warm');
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await deliveriesPerSecond(hub, deliveries, `r${round}`);
    const bare = await barePosts(sinkUrl, deliveries);
    pairs.push([ours, bare]);
    console.log(round, Math.round(ours), Math.round(bare), (ours / bare).toFixed(3));
  }
  return pairs;
}

async function barePosts(sinkUrl: string, count: number): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Moonbase-Webhooks/1',
    'webhook-id': '691fd3a5c1a2b3d4e5f60718',
    'webhook-timestamp': '1763000000',
    'x-webhook-secret': 'a secret',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  const body = JSON.stringify({ text: 'x'.repeat(720) });
  await using child = startChild('bare-posts.ts', [
    sinkUrl,
    String(count),
    String(IN_FLIGHT),
    JSON.stringify(headers),
    body,
  ]);
  return Number(await nextLine(child));
}

if (process.argv[1]?.endsWith('deliveries.ts'))
  await benchDeliveries(Number(process.argv[2] ?? 10000), Number(process.argv[3] ?? 3));
