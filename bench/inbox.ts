import { setTimeout as pause } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { besideBare } from './beside-bare.ts';
import { FILLED, fillInbox, watchRepo } from './fill-inbox.ts';
import { ACCESS_TOKEN, type BenchHub, engine, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile } from './stats.ts';

const OTHER_TOKEN = 'hf_tokenOfSomebodyElse';
const FEW = 10_000;
const TIMED = 1000;

const PAGES = ['', 'p=100', 'readStatus=unread', 'readStatus=unread&p=100'];
const FILTERS = [
  `repoType=${FILLED.repoType}`,
  `repoName=${FILLED.repo}`,
  `postAuthor=${FILLED.author}`,
  `paperId=${FILLED.arxivId}`,
  `articleId=${FILLED.slug}`,
  'mention=participating',
  'mention=mentions',
  'lastUpdate=2023-12-01T00:00:00Z',
];

const get = (hub: BenchHub, query: string, token = ACCESS_TOKEN) =>
  requestBytes(hub.url, 'GET', `/api/notifications?${query}`, { authorization: `Bearer ${token}` });

/** Sends requests one after the other on one connection; returns the milliseconds of each answer. */
async function times(hub: BenchHub, query: string, requests = TIMED): Promise<number[]> {
  const all: number[] = [];
  const next = () => get(hub, query);
  await load({ url: hub.url, connections: 1, requests: 20, next });
  await load({ url: hub.url, connections: 1, requests, next, onAnswer: (ms) => all.push(ms) });
  return all;
}

/** Starts a hub with notifications, a tenth of them (at most 100,000) in the administrator's inbox. */
async function filledHub(all: number): Promise<BenchHub> {
  const hub = await startBenchHub();
  await applyHub({
    ...hub.connection,
    document: { users: [{ name: 'somebody', tokens: [{ name: 'bench', role: 'write', token: OTHER_TOKEN }] }] },
  });
  const admin = await hub.side.text("select id from accounts where name = 'admin'");
  await fillInbox(hub, admin, Math.min(100_000, Math.ceil(all / 10)), all);
  return hub;
}

/** Measures an inbox of millions of rows: pages, filters, marking all as read, and fan-out. */
export async function benchInbox(scale: Scale): Promise<Figure[]> {
  const { notifications, fanOut } = scale;
  const of = notifications.toLocaleString('en');
  const few = await pagesOf(FEW);
  await using hub = await filledHub(notifications);
  const figures: Figure[] = [];
  for (const query of [...PAGES, ...FILTERS]) {
    const taken = await times(hub, query);
    const name = `inbox, ${of} notifications, ${query.replace(/=2023.*/, '=…') || 'page 0'}`;
    figures.push({
      name: `${name}, p99`,
      value: percentile(taken, 0.99),
      unit: 'ms',
      bound: { atMost: PAGES.includes(query) ? 10 : 25 },
    });
    const before = few.get(query);
    if (before !== undefined)
      figures.push({
        name: `${name}, to ${FEW.toLocaleString('en')}`,
        value: median(taken) / before,
        unit: 'ratio',
        bound: { atMost: 1.5 },
        grows: 'rows',
      });
  }
  const atLeast = engine === 'sqlite' ? 0.4 : 0.25;
  figures.push(
    ...(await besideBare(hub, { name: 'inbox, 25 notifications', path: '/api/notifications', atLeast }, scale)),
  );
  figures.push(await fanOutTo(hub, fanOut));
  figures.push(...(await allAtOnce(hub)));
  return figures;
}

async function pagesOf(all: number): Promise<Map<string, number>> {
  await using hub = await filledHub(all);
  const found = new Map<string, number>();
  for (const query of ['', 'readStatus=unread']) found.set(query, median(await times(hub, query)));
  return found;
}

/** Measures the time from a new discussion in a repository to the notifications of its many watchers. */
async function fanOutTo(hub: BenchHub, watchers: number): Promise<Figure> {
  await createRepo({ ...hub.connection, type: 'model', repo: 'admin/watched' });
  const repoId = await hub.side.text("select id from repositories where name = 'watched'");
  await watchRepo(hub, repoId, watchers);
  const taken: number[] = [];
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    await createDiscussion({
      ...hub.connection,
      type: 'model',
      repo: 'admin/watched',
      title: 'News',
      description: 'See.',
    });
    const open = () => hub.side.number('select count(*) from events where done_at is null');
    while ((await open()) > 0 && performance.now() - startedAt < 30_000) await pause(5);
    taken.push(performance.now() - startedAt);
    const told = await hub.side.number(`select count(*) from notifications where source_id = '${repoId}'`);
    if (told !== watchers * (round + 1)) throw new Error(`${told} are told, not ${watchers * (round + 1)}`);
  }
  return {
    name: `inbox, one discussion to ${watchers.toLocaleString('en')} watchers`,
    value: median(taken),
    unit: 'ms',
    bound: { atMost: 1000 },
    grows: 'receivers',
    rounds: taken.map((ms) => [ms]),
  };
}

/** Marks all of a big inbox as read while another user reads theirs. */
async function allAtOnce(hub: BenchHub): Promise<Figure[]> {
  const startedAt = performance.now();
  let takenMs: number | undefined;
  const marked = fetch(new URL('/api/notifications/mark-as-read?applyToAll=true', hub.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  }).then(async (answer) => {
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    takenMs = performance.now() - startedAt;
  });
  const others: number[] = [];
  while (takenMs === undefined) {
    await load({
      url: hub.url,
      connections: 1,
      requests: 1,
      next: () => get(hub, '', OTHER_TOKEN),
      onAnswer: (ms) => others.push(ms),
    });
    await pause(5);
  }
  await marked;
  return [
    { name: 'inbox, a full one marked as read', value: takenMs, unit: 'ms', bound: { atMost: 3000 } },
    {
      name: "inbox, somebody else's meanwhile, p99",
      value: percentile(others, 0.99),
      unit: 'ms',
      bound: { atMost: 50 },
    },
  ];
}
