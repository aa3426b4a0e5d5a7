import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommit } from '@moonbase/client/content';
import { pino } from 'pino';
import { createBucketGit } from '../src/content/index.ts';
import { createGitStore } from '../src/platform/git/git-store.ts';
import { packAt } from '../src/platform/git/packs/adopt-packs.ts';
import type { S3Server } from './blobs/s3-server.ts';
import type { TestClock } from './clock.ts';
import { type Connection, startHub, tokenOf } from './harness.ts';
import type { TestDatabase } from './test-database.ts';

export const bucketSettings = ({ bucket }: S3Server): Readonly<Record<string, string>> => ({
  MOONBASE_S3_ENDPOINT: bucket.endpoint,
  MOONBASE_S3_BUCKET: bucket.bucket,
  MOONBASE_S3_REGION: bucket.region,
  MOONBASE_S3_ACCESS_KEY: bucket.accessKey,
  MOONBASE_S3_SECRET_KEY: bucket.secretKey,
});

interface Options {
  /** The database of several replicas, on PostgreSQL only. */
  readonly database?: TestDatabase;
  readonly settings?: Readonly<Record<string, string>>;
  readonly clock?: TestClock;
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Starts a process of a hub that keeps its git objects in a bucket, with a disk of its own. */
export async function startReplica(server: S3Server, { database, settings = {}, clock }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-replica-'));
  const store = createGitStore(folder, { durable: false });
  const hub = await startHub(
    { ...database?.environment, ...bucketSettings(server), MOONBASE_GIT_STORE: 'bucket', ...settings },
    { gitStore: store, ...(clock && { clock }) },
  );
  const logger = pino({ level: 'silent' });
  const parts = { database: hub.database, clock: hub.clock, logger, store, s3: server.bucket };
  const bucketGit = createBucketGit({ ...parts, cacheBytes: Number.POSITIVE_INFINITY });
  const upkeep = bucketGit.createUpkeep({ hold: async () => true });
  return {
    hub,
    store,
    /** Empties the disk. */
    async wipe(): Promise<void> {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    },
    /** Maintains the bucket until nothing is due, as one of the processes does in the background. */
    async maintain(): Promise<void> {
      // The hub notes which repositories have changed.
      await hub.drain();
      hub.clock.advance(60_000);
      while ((await upkeep.round()).done > 0);
    },
    /** Stores a pack that is on the disk once more. */
    keep: async (repoId: string, name: string): Promise<void> =>
      bucketGit.packs.keep(repoId, await packAt(store.packFolderOf(repoId), name)),
    /** Returns the paths of files on the disk. */
    async files(): Promise<string[]> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    },
    async [Symbol.asyncDispose]() {
      await bucketGit.close();
      await hub[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Commits files to `main` of a model; returns the id of the commit. */
export async function commitTo(
  connection: Connection,
  repo: string,
  files: Readonly<Record<string, string | Buffer>>,
  more: { readonly branch?: string; readonly createPullRequest?: true } = {},
) {
  const { branch = 'main', ...others } = more;
  const lines = [
    { key: 'header', value: { summary: Object.keys(files)[0] ?? 'change' } },
    ...Object.entries(files).map(([path, content]) => ({
      key: 'file',
      value: { path, content: Buffer.from(content).toString('base64'), encoding: 'base64' },
    })),
  ];
  const operations = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')], { type: 'application/x-ndjson' });
  return createCommit({ ...connection, type: 'model', repo, branch, ...others, operations });
}

/** Requests a path as a user. */
export const ask = (url: string, user: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + path, { ...init, headers: { authorization: `Bearer ${tokenOf(user)}` } });

/** Returns the keys of packs in the bucket, without their indexes. */
export const packsIn = ({ objects }: S3Server, repoId = ''): string[] =>
  [...objects.keys()].filter((key) => key.startsWith(`git/${repoId}`) && key.endsWith('.pack'));

/** Returns text that does not shrink when it is compressed. */
export function noise(bytes: number, seed: string): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, at) =>
    createHash('sha512').update(`${seed} ${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}
