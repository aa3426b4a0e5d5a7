import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listJobs } from '@moonbase/client/jobs';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { expect, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN, expectNothingLost, expectRefusals, prepareHub, startLoad, until } from './load.ts';
import { pause } from './pace.ts';
import { startSink } from './sink.ts';

const HOUR_S = 3600;
/** The offsets of the hub's clock from the machine's in turn, by up to an hour in either direction. */
const OFFSETS_S = [HOUR_S, 0, -HOUR_S, 0, HOUR_S, -HOUR_S, 0];

/** The library comes from the Debian package faketime. */
const library = readdirSync('/usr/lib', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join('/usr/lib', name, 'faketime/libfaketimeMT.so.1'))
  .find(existsSync);

test(`the clock jumps by an hour ${OFFSETS_S.length} times: nothing is lost, stuck or sent in a storm (${engine})`, async (context) => {
  if (library === undefined) return context.skip('libfaketime is not there');
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-clock-'));
  const offsetFile = join(folder, 'offset');
  const setClock = (seconds: number) => writeFileSync(offsetFile, `${seconds < 0 ? '' : '+'}${seconds}`);
  setClock(0);
  const failedOnce = new Set<string>();
  let seen = 0;
  await using database = await createTestDatabase();
  // Every third delivery fails at first, so that some wait for another attempt at each jump.
  await using sink = await startSink((id) => {
    if (failedOnce.has(id) || seen++ % 3 > 0) return 'well';
    failedOnce.add(id);
    return 'failing';
  });
  const hub = await startHubProcess({
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: join(folder, 'data'),
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_JOBS_RUNNER: 'process',
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: offsetFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const connection = { hubUrl: hub.url, accessToken: ACCESS_TOKEN, namespace: 'admin' };
  try {
    await prepareHub(hub.url, sink.url);
    const jobSpec = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' as const, environment: {} };
    await createScheduledJob({ ...connection, jobSpec, schedule: '@hourly' });
    const load = startLoad(hub.url, 'clock', { writers: 2, restMs: 20 });
    for (const offset of OFFSETS_S) {
      const { writes } = load.done;
      setClock(offset);
      await until('changes go on', () => load.done.writes > writes + 20);
      await pause(700);
    }
    await load.stop();
    expectRefusals(load.refusals);
    await expectNothingLost(`the clock (${engine})`, hub.url, { ...load, sink });
    // Each delivery has one attempt and each failed one another, with few attempts beyond these.
    expect(sink.requests()).toBeLessThan(1.2 * (sink.deliveries.size + failedOnce.size));
    const runs = await collect(listJobs(connection));
    expect(runs.length).toBeGreaterThan(0);
    expect(runs.length).toBeLessThanOrEqual(3);
    expect(await hub.stop()).toBe(0);
  } finally {
    await hub.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
