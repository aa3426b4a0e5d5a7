import { setTimeout as pause } from 'node:timers/promises';
import { watchedRepos } from './deliveries.ts';
import { engine, startBenchHub } from './hub.ts';
import { Arrivals, changeAtPace } from './latency.ts';
import { type Receiver, startReceiver } from './receivers.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile, ratio } from './stats.ts';

const CHANGES_PER_SECOND = 20;
const GOOD = 8;

/** Measures how long eight receivers wait beside one that hangs and one that refuses, against ten that answer. */
export async function benchIsolation({ rounds, latencySeconds }: Scale): Promise<Figure[]> {
  await using troubled = await start('hangs', 'refuses');
  await using sound = await start('answers', 'answers');
  const medians: [number, number][] = [];
  const tails: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const [ours, limit] = [await troubled.round(latencySeconds), await sound.round(latencySeconds)];
    medians.push([median(ours), median(limit)]);
    tails.push([percentile(ours, 0.99), percentile(limit, 0.99)]);
  }
  const name = 'eight receivers beside one that hangs and one that refuses, to without';
  return [
    {
      name: `${name}, median`,
      value: ratio(medians),
      unit: 'ratio',
      bound: { atMost: engine === 'sqlite' ? 1.2 : 1.1 },
      grows: 'receivers',
      rounds: medians,
    },
    {
      name: `${name}, p99`,
      value: ratio(tails),
      unit: 'ratio',
      bound: { atMost: 1.5 },
      grows: 'receivers',
      rounds: tails,
    },
  ];
}

/** Starts a hub with ten receivers; the last two behave as given and are not counted. */
async function start(...modes: ('answers' | 'hangs' | 'refuses')[]) {
  const arrivals = new Arrivals();
  const receivers: Receiver[] = [];
  for (let at = 0; at < GOOD; at++) receivers.push(await startReceiver('answers', arrivals.arrive));
  for (const mode of modes) receivers.push(await startReceiver(mode, () => {}));
  const hub = await startBenchHub();
  await watchedRepos(
    hub,
    receivers.map(({ url }) => url),
  );
  return {
    async round(seconds: number): Promise<number[]> {
      arrivals.clear();
      await changeAtPace(hub, CHANGES_PER_SECOND * seconds, CHANGES_PER_SECOND, arrivals);
      // Deliveries in flight end within this wait.
      await pause(500);
      return arrivals.latencies();
    },
    async [Symbol.asyncDispose]() {
      for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}
