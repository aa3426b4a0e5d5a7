import { nextLine, startChild } from './child.ts';
import { cpuSeconds, postgresSeconds, postmasterOf } from './cpu.ts';
import { deliveriesPerSecond, watchedRepos } from './deliveries.ts';
import { fillInbox } from './fill-inbox.ts';
import { fillLog } from './full-log.ts';
import { ACCESS_TOKEN, type BenchHub, engine, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, ratio, shown } from './stats.ts';

/** The rows of the hub with which each larger one is compared. */
const FEW = 10_000;
const STEP = 10;
const WEBHOOKS = 10;
/** The number of pages of each kind in a round. */
const PAGES = 200;
/** A cost that grows by less than this from the fewest to the most rows is flat. */
const FLAT = { atMost: 1.3 };

interface Filled extends AsyncDisposable {
  /** Sends deliveries until all are recorded; returns the processor time of each in ms. */
  deliver(count: number, name: string): Promise<number>;
  /** Requests pages one after the other; returns the median in ms. */
  page(name: keyof typeof PATHS): Promise<number>;
}

const PATHS = {
  'a page of the inbox': () => '/api/notifications',
  'unread notifications': () => '/api/notifications?readStatus=unread',
  "a page of a webhook's log": ([, webhook]: string[]) => `/api/settings/webhooks/${webhook}/logs?limit=20`,
  // All deliveries of the first webhook have failed, because its turn is that of the failures.
  'failed deliveries of a webhook': ([webhook]: string[]) =>
    `/api/settings/webhooks/${webhook}/logs?limit=20&status=failed`,
};
const PAGE_NAMES = Object.keys(PATHS) as (keyof typeof PATHS)[];

/**
 * Measures what a delivery and a page cost among ever more finished deliveries, each with an attempt, and as many
 * notifications, in turns with a hub that has 10,000 of each.
 */
export async function benchGrowth({ rounds, deliveries, growthRows }: Scale): Promise<Figure[]> {
  await using sink = startChild('sink.ts');
  const sinkUrl = await nextLine(sink);
  const figures: Figure[] = [];
  for (let rows = FEW * STEP; rows <= growthRows; rows *= STEP) {
    await using few = await filledHub(FEW, sinkUrl);
    await using many = await filledHub(rows, sinkUrl);
    const name = (of: string) => `${of}, ${rows.toLocaleString('en')} rows to ${FEW.toLocaleString('en')}`;
    const batch = deliveries / 5;
    for (const hub of [many, few]) await hub.deliver(batch, 'warm');
    const inTurns = async (cost: (hub: Filled, round: number) => Promise<number>): Promise<[number, number][]> => {
      const pairs: [number, number][] = [];
      for (let round = 0; round < rounds; round++) pairs.push([await cost(many, round), await cost(few, round)]);
      return pairs;
    };
    figures.push(
      grown(
        name('growth: processor time of a delivery'),
        await inTurns((hub, round) => hub.deliver(batch, `r${round}`)),
      ),
    );
    for (const page of PAGE_NAMES) figures.push(grown(name(`growth: ${page}`), await inTurns((hub) => hub.page(page))));
  }
  return figures;
}

const grown = (name: string, pairs: [number, number][]): Figure => ({
  name,
  value: ratio(pairs),
  unit: 'ratio',
  bound: FLAT,
  grows: 'rows',
  note: `${shown(median(pairs.map(([many]) => many)))} to ${shown(median(pairs.map(([, few]) => few)))} ms`,
  rounds: pairs,
});

/** Starts a hub with so many deliveries in its log and notifications in its inboxes. */
async function filledHub(rows: number, sinkUrl: string): Promise<Filled> {
  const hub = await startBenchHub();
  const webhooks = await watchedRepos(hub, Array<string>(WEBHOOKS).fill(sinkUrl));
  await fillLog(hub, rows, webhooks);
  const admin = await hub.side.text("select id from accounts where name = 'admin'");
  await fillInbox(hub, admin, Math.min(100_000, rows / 10), rows);
  const postmaster = engine === 'postgres' ? await postmasterOf(hub.side) : undefined;
  const seconds = async () =>
    (await cpuSeconds(hub.pid)) + (postmaster === undefined ? 0 : await postgresSeconds(postmaster));
  return {
    async deliver(count, name) {
      const before = await seconds();
      await deliveriesPerSecond(hub, count, name);
      return (((await seconds()) - before) / count) * 1000;
    },
    page: (name) => pageOf(hub, PATHS[name](webhooks)),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

async function pageOf({ url }: BenchHub, path: string): Promise<number> {
  const times: number[] = [];
  const next = () => requestBytes(url, 'GET', path, { authorization: `Bearer ${ACCESS_TOKEN}` });
  await load({ url, connections: 1, requests: PAGES, next, onAnswer: (ms) => times.push(ms) });
  return median(times);
}
