import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createS3Store } from '../../packages/server/src/platform/blobs/s3/s3-store.ts';
import { createGitStore } from '../../packages/server/src/platform/git/git-store.ts';
import { type S3Server, startS3Server } from '../../packages/server/test/blobs/s3-server.ts';
import { hasStockGit } from '../../packages/server/test/stock-git.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { download, expectRefsForGit, expectSoundForGit, halfThere, lostOf, readAll } from './content-check.ts';
import { type AcknowledgedContent, changeUntilGone, MODEL, nothingAcknowledged, SECRET_KEY } from './content-load.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause } from './pace.ts';
import { startSink } from './sink.ts';

const THREE_DAYS_MS = 3 * 24 * 60 * 60 * 1000;
/** The commits without large files that have to be acknowledged while the bucket is ill. */
const COMMITS = 20;
const SLOW_MS = 1_000;

/** A way in which the bucket fails, and what the hub may answer to uploads meanwhile. */
interface Illness {
  readonly name: string;
  begin(server: S3Server): void;
  end(server: S3Server): void | Promise<void>;
  /** The statuses of refusals; undefined if none is expected. */
  readonly refusals: readonly number[];
  /** Whether uploads are refused at once, and not only at the end. */
  readonly refusesAtOnce: boolean;
  /** Whether files are uploaded meanwhile. */
  readonly uploads: boolean;
}

const ILLNESSES: readonly Illness[] = [
  {
    name: 'down',
    begin: (server) => server.refuse(),
    end: (server) => server.listen(),
    ...{ refusals: [503], refusesAtOnce: true, uploads: false },
  },
  {
    name: 'answering 500',
    begin: ({ control }) => {
      control.fault = () => 500;
    },
    end: ({ control }) => {
      control.fault = undefined;
    },
    ...{ refusals: [503], refusesAtOnce: true, uploads: false },
  },
  {
    name: 'breaking off its answers',
    begin: ({ control }) => {
      control.fault = (method) => (method === 'GET' ? 'cut' : undefined);
    },
    end: ({ control }) => {
      control.fault = undefined;
    },
    ...{ refusals: [503], refusesAtOnce: true, uploads: true },
  },
  {
    name: 'losing every second part',
    begin: ({ control }) => {
      control.losesPart = (number) => number % 2 === 0;
    },
    end: ({ control }) => {
      control.losesPart = undefined;
    },
    ...{ refusals: [400], refusesAtOnce: true, uploads: true },
  },
  {
    name: `slow (${SLOW_MS} ms an answer)`,
    begin: ({ control }) => {
      control.delayMs = SLOW_MS;
    },
    end: ({ control }) => {
      control.delayMs = undefined;
    },
    ...{ refusals: [], refusesAtOnce: false, uploads: true },
  },
  {
    name: 'silent, then reset',
    begin: ({ control }) => {
      control.fault = () => 'hang';
    },
    end: (server) => {
      server.control.fault = undefined;
      server.resetHanging();
    },
    ...{ refusals: [503], refusesAtOnce: false, uploads: false },
  },
];

/** Reads from a hub until it is stopped, as another client does; returns the durations of the reads in milliseconds. */
function startReading(hubUrl: string) {
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}` };
  const durations: number[] = [];
  let isGoingOn = true;
  async function read() {
    while (isGoingOn) {
      const startedAt = performance.now();
      const { status } = await fetch(`${hubUrl}/api/whoami-v2`, { headers });
      expect(status).toBe(200);
      durations.push(performance.now() - startedAt);
      await pause(10);
    }
  }
  const reading = read();
  return async () => {
    isGoingOn = false;
    await reading;
    return durations.toSorted((a, b) => a - b);
  };
}

const percentile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

test(`a bucket that is down, slow, silent, fails, breaks off or loses parts loses nothing of what was acknowledged (${engine})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-content-bucket-'));
  await using server = await startS3Server();
  await using store = createS3Store(server.bucket, () => Date.now());
  await using database = await createTestDatabase();
  await using sink = await startSink();
  const { endpoint, bucket, region, accessKey, secretKey } = server.bucket;
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_S3_ENDPOINT: endpoint,
    MOONBASE_S3_BUCKET: bucket,
    MOONBASE_S3_REGION: region,
    MOONBASE_S3_ACCESS_KEY: accessKey,
    MOONBASE_S3_SECRET_KEY: secretKey,
    MOONBASE_DATA_DIR: folder,
    MOONBASE_SECRET_KEY: SECRET_KEY,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
    MOONBASE_LOG_LEVEL: 'silent',
  };
  let hub = await startHubProcess(settings);
  try {
    const connection = { hubUrl: hub.url, accessToken: ACCESS_TOKEN };
    const { id } = await createRepo({ ...connection, ...MODEL });
    const watched = [{ type: MODEL.type, name: MODEL.repo }];
    await createWebhook({ ...connection, webhook: { url: sink.url, watched, domains: ['repo'] } });
    const acknowledged = nothingAcknowledged();
    const lines: string[] = [];
    for (const illness of ILLNESSES)
      lines.push(await suffer({ hubUrl: hub.url, server, store, acknowledged }, illness));

    const { commits, uploads, merged } = acknowledged;
    const stored = await readAll(hub.url);
    const lost = lostOf(stored, acknowledged);
    const half = halfThere(stored);
    const { differing } = await download(hub.url, [...stored.files.keys()]);
    const undelivered = () => [...commits].filter((commit) => !sink.heads.has(commit));
    await until('all is delivered', () => undelivered().length === 0).catch(() => {});
    const repository = createGitStore(join(folder, 'git'), { durable: true }).folderOf(id);
    if (hasStockGit) await expectRefsForGit(repository, stored);
    expect(await hub.stop()).toBe(0);
    if (hasStockGit) expectSoundForGit(repository);
    const leftovers = () =>
      [...server.uploads.keys(), ...server.objects.keys()].filter((key) => !key.startsWith('blobs/'));
    const before = leftovers().length;
    server.control.agedMs = THREE_DAYS_MS;
    hub = await startHubProcess(settings);
    await expect.poll(leftovers).toEqual([]);
    const exitStatus = await hub.stop();
    console.log(
      `an ill bucket (${engine}): acknowledged ${commits.size} commits, ${uploads.size} large files, ${merged.size} merges; ` +
        `lost ${lost.length}, half there ${half.length}, undelivered ${undelivered().length}, ${before} leftovers deleted` +
        lines.map((line) => `\n  ${line}`).join(''),
    );
    expect({ lost, half, differing, undelivered: undelivered() }).toEqual({
      ...{ lost: [], half: [], differing: [], undelivered: [] },
    });
    expect(exitStatus).toBe(0);
  } finally {
    await hub.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

interface Patient {
  readonly hubUrl: string;
  readonly server: S3Server;
  readonly store: Parameters<typeof changeUntilGone>[0]['store'];
  readonly acknowledged: AcknowledgedContent;
}

/** Makes changes while a bucket is well, then ill, then well again; returns the figures. */
async function suffer({ hubUrl, server, store, acknowledged }: Patient, illness: Illness): Promise<string> {
  const { commits, uploads, merged } = acknowledged;
  let isOver = false;
  const refusals: { readonly status: number; readonly error: string }[] = [];
  const changes = changeUntilGone(
    {
      ...{ hubUrl, store, acknowledged, isOver: () => isOver },
      onRefusal: (refusal) => refusals.push(refusal),
    },
    illness.name.replace(/\W+/g, '-'),
  );
  const goOn = async () => {
    const sizes = [commits, uploads, merged].map(({ size }) => size);
    await until('changes are made', () => [commits, uploads, merged].every(({ size }, at) => size > (sizes[at] ?? 0)));
  };
  const stopReadingBefore = startReading(hubUrl);
  await goOn();
  const durationsBefore = await stopReadingBefore();
  expect(refusals).toEqual([]);
  const before = { commits: commits.size, uploads: uploads.size };
  const stopReading = startReading(hubUrl);
  illness.begin(server);
  const startedAt = performance.now();
  // Commits and merges need no bucket, and go on.
  await until('commits are made meanwhile', () => commits.size >= before.commits + COMMITS);
  if (illness.refusesAtOnce) await until('uploads are refused', () => refusals.length > 3);
  if (illness.uploads) await until('uploads are made meanwhile', () => uploads.size > before.uploads + 1);
  const during = { commits: commits.size - before.commits, uploads: uploads.size - before.uploads };
  const seconds = (performance.now() - startedAt) / 1000;
  await illness.end(server);
  const durations = await stopReading();
  const wellAgainAt = performance.now();
  await goOn();
  const recoveryMs = performance.now() - wellAgainAt;
  isOver = true;
  await changes;
  for (const { status, error } of refusals) {
    expect(illness.refusals, error).toContain(status);
    expect(error).not.toMatch(/ECONN|127\.0\.0\.1|undici|socket|InternalError/i);
  }
  return (
    `${illness.name}, for ${seconds.toFixed(1)} s: ${during.commits} commits and ${during.uploads} large files acknowledged, ` +
    `${refusals.length} uploads refused; reads of another client p50 ${percentile(durations, 0.5)} ms ` +
    `(${percentile(durationsBefore, 0.5)} before), p99 ${percentile(durations, 0.99)} ms; all kinds again after ${Math.round(recoveryMs)} ms`
  );
}
