import { seeded } from '../test/faults/pace.ts';
import { nextLine, startChild } from './child.ts';
import { allRecorded } from './deliveries.ts';
import { ACCESS_TOKEN, createBenchDatabase, engine } from './hub.ts';
import type { Result, Start } from './mixed/generator.ts';
import { judge } from './mixed/judge.ts';
import { keepKilling } from './mixed/kills.ts';
import { prepareFixture, WEBHOOKS_PER_ORGANIZATION } from './mixed/prepare.ts';
import { readBack } from './mixed/read-back.ts';
import type { Report } from './mixed/receiver.ts';
import { startReplicas } from './replicas.ts';
import type { Scale } from './scale.ts';
import { startShares } from './shares.ts';
import type { Figure } from './stats.ts';

const SEED = 7;
/** The settings that the load changes per second. */
const CHANGES_PER_SECOND = 2;
/** The lanes of a killed worker are free after 10 s. */
const MAX_WAIT_MS = 60_000;

/**
 * Measures two API replicas and two workers under a mixed load at fixed rates, while one is killed every few seconds.
 */
export async function benchMixed({ mixedSeconds, killSeconds, exportSeconds }: Scale): Promise<Figure[]> {
  if (engine !== 'postgres') return [];
  await using database = await createBenchDatabase();
  await using receiver = startChild('mixed/receiver.ts', [String(WEBHOOKS_PER_ORGANIZATION)]);
  await using generator = startChild('mixed/generator.ts');
  const receivers = (await nextLine(receiver)).split(' ');
  await nextLine(generator);
  await using replicas = await startReplicas(database, ['api', 'api', 'worker', 'worker']);
  const first = { hubUrl: replicas.urls()[0] ?? '', accessToken: ACCESS_TOKEN };
  const changes = mixedSeconds * CHANGES_PER_SECOND + 10;
  const fixture = await prepareFixture(first, database.side, { receivers, changes });
  await allRecorded(database, MAX_WAIT_MS);

  const shares = await startShares(database.side, replicas, {
    'load generator': generator.pid,
    receiver: receiver.pid,
  });
  const killing = keepKilling(replicas, {
    ...{ everySeconds: killSeconds, seconds: mixedSeconds, random: seeded(SEED) },
    replaced: () => generator.tell({ urls: replicas.urls() }),
  });
  const start: Start = { fixture, seconds: mixedSeconds, exportSeconds, urls: replicas.urls() };
  generator.tell(start);
  const result = JSON.parse(await nextLine(generator)) as Result;
  const kills = await killing;
  const used = await shares.read();
  const unfinished = await allRecorded(database, MAX_WAIT_MS).then(
    () => [],
    (error: Error) => [error.message],
  );

  const hub = { hubUrl: replicas.urls()[0] ?? '', accessToken: ACCESS_TOKEN };
  const stored = await readBack(hub, fixture, fixture.changed.slice(0, changes));
  const report = (await (await fetch(receivers[0] ?? '')).json()) as Report;
  for (const line of unfinished) console.error(line);
  return [...judge({ result, report, stored, kills, seconds: mixedSeconds }), ...used];
}
