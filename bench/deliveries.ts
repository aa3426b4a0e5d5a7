import { setTimeout as pause } from 'node:timers/promises';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { nextLine, startChild } from './child.ts';
import { fillLog } from './full-log.ts';
import { ACCESS_TOKEN, type BenchHub, engine, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { startBareHub } from './start-bare-hub.ts';
import { type Figure, ratio, TO_BARE_LOOP } from './stats.ts';

const WEBHOOKS = 10;
/** The largest number of deliveries that the hub has in flight to one origin. */
const IN_FLIGHT = 32;
const BODY_BYTES = 731;

/** The number of repositories that are changed in turn, because changes of one repository wait for each other. */
export const REPOS = Array.from({ length: 20 }, (_, at) => `admin/model-${at}`);

/** Returns new names of branches. */
export function newBranches(hub: Pick<BenchHub, 'url'>, prefix: string): () => string {
  let made = 0;
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' };
  return () => {
    made += 1;
    const path = `/api/models/${REPOS[made % REPOS.length]}/branch/${prefix}-${made}`;
    return requestBytes(hub.url, 'POST', path, headers, '{}');
  };
}

/** Creates repositories, each watched by a webhook for every URL; returns the ids of the webhooks. */
export async function watchedRepos(hub: Pick<BenchHub, 'connection'>, urls: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const repo of REPOS) {
    await createRepo({ ...hub.connection, type: 'model', repo });
    for (const url of urls) {
      const watched = [{ type: 'model' as const, name: repo }];
      const { webhook } = await createWebhook({
        ...hub.connection,
        webhook: { url, watched, domains: ['repo'], secret: 'a secret' },
      });
      ids.push(webhook.id);
    }
  }
  return ids;
}

/** Resolves once every delivery is recorded as done; throws if this takes longer than `limitMs`. */
export async function allRecorded(hub: Pick<BenchHub, 'side'>, limitMs: number): Promise<void> {
  const open = `select (select count(*) from events where done_at is null)
    + (select count(*) from deliveries where status = 'pending')`;
  for (const deadline = Date.now() + limitMs; (await hub.side.number(open)) > 0; await pause(20))
    if (Date.now() > deadline) throw new Error('Deliveries are still pending');
}

/** Makes changes over the API until all deliveries are recorded; returns the deliveries per second. */
export async function deliveriesPerSecond(hub: BenchHub, deliveries: number, prefix: string): Promise<number> {
  const startedAt = performance.now();
  await load({ url: hub.url, connections: 8, requests: deliveries / WEBHOOKS, next: newBranches(hub, prefix) });
  await allRecorded(hub, 120_000);
  return deliveries / ((performance.now() - startedAt) / 1000);
}

/** Measures deliveries against a bare loop of posts, with an empty log and with a full one, and against a bare hub. */
export async function benchDeliveries(scale: Scale): Promise<Figure[]> {
  const bound = { atLeast: engine === 'sqlite' ? 0.45 : 0.3 };
  const empty = await measured(scale, 0);
  const full = await measured(scale, scale.logEntries);
  const entries = scale.logEntries.toLocaleString('en');
  return [
    {
      name: TO_BARE_LOOP,
      value: ratio(empty.posts),
      unit: 'ratio',
      bound,
      rounds: empty.posts,
    },
    { name: 'deliveries, to a bare hub', value: ratio(empty.bare), unit: 'ratio', rounds: empty.bare },
    {
      name: `deliveries, with ${entries} in the log to without`,
      value: ratio(full.posts) / ratio(empty.posts),
      unit: 'ratio',
      bound: { atLeast: 1 / 1.3 },
      grows: 'rows',
      rounds: full.posts,
    },
  ];
}

type Pairs = [number, number][];

async function measured({ deliveries, rounds }: Scale, logEntries: number): Promise<{ posts: Pairs; bare: Pairs }> {
  await using hub = await startBenchHub();
  await using sink = startChild('sink.ts');
  const sinkUrl = await nextLine(sink);
  const webhooks = await watchedRepos(
    hub,
    Array.from({ length: WEBHOOKS }, () => sinkUrl),
  );
  if (logEntries > 0) await fillLog(hub, logEntries, webhooks);
  await deliveriesPerSecond(hub, deliveries / 4, 'warm');
  await hub.side.settle();
  // Only the empty log is compared with a bare hub, whose log is empty too.
  await using bare = logEntries === 0 ? await startBareHub(hub, sinkUrl, WEBHOOKS) : undefined;
  const bareUrl = bare && new URL(bare.url);
  if (bareUrl) await bareDeliveries(bareUrl, deliveries / 4, 'warm');
  const pairs: { posts: Pairs; bare: Pairs } = { posts: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const ours = await deliveriesPerSecond(hub, deliveries, `r${round}`);
    pairs.posts.push([ours, await barePosts(sinkUrl, deliveries)]);
    if (bareUrl) pairs.bare.push([ours, await bareDeliveries(bareUrl, deliveries, `r${round}`)]);
  }
  return pairs;
}

/** Makes changes of a bare hub until all deliveries are recorded; returns the deliveries per second. */
async function bareDeliveries(url: URL, deliveries: number, prefix: string): Promise<number> {
  const recorded = async () => Number(await (await fetch(url)).text());
  const before = await recorded();
  const startedAt = performance.now();
  await load({ url, connections: 8, requests: deliveries / WEBHOOKS, next: newBranches({ url }, prefix) });
  while ((await recorded()) - before < deliveries) await pause(20);
  return deliveries / ((performance.now() - startedAt) / 1000);
}

/** Posts the body of one delivery repeatedly. */
async function barePosts(sinkUrl: string, count: number): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Moonbase-Webhooks/1',
    'webhook-id': '691fd3a5c1a2b3d4e5f60718',
    'webhook-timestamp': '1763000000',
    'x-webhook-secret': 'a secret',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  const body = JSON.stringify({ text: 'x'.repeat(BODY_BYTES - 11) });
  const args = [sinkUrl, String(count), String(IN_FLIGHT), JSON.stringify(headers), body];
  await using child = startChild('bare-posts.ts', args);
  return Number(await nextLine(child));
}
