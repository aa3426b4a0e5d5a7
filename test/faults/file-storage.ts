import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../packages/server/src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../../packages/server/src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../../packages/server/src/platform/blobs/s3/s3-store.ts';
import { startS3Server } from '../../packages/server/test/blobs/s3-server.ts';
import { AGED_MS, age } from './aged-files.ts';

/** The storage of the large files of a hub. */
export interface FileStorage extends AsyncDisposable {
  readonly store: BlobStore;
  readonly settings: Readonly<Record<string, string>>;
  /** Makes unfinished uploads look three days older. */
  age(): Promise<void>;
  /** Returns the unfinished uploads. */
  unfinished(): Promise<string[]>;
}

export async function inFolder(folder: string): Promise<FileStorage> {
  const unfinished = join(folder, 'blobs', 'unfinished');
  const entries = async () => (await readdir(unfinished).catch(() => [])).map((name) => join(unfinished, name));
  return {
    store: createFolderStore({ folder: join(folder, 'blobs'), now: () => Date.now() }),
    settings: {},
    age: async () => age(await entries()),
    unfinished: entries,
    async [Symbol.asyncDispose]() {},
  };
}

export async function inBucket(): Promise<FileStorage> {
  const server = await startS3Server();
  const { endpoint, bucket, region, accessKey, secretKey } = server.bucket;
  const store = createS3Store(server.bucket, () => Date.now());
  return {
    store,
    settings: {
      MOONBASE_S3_ENDPOINT: endpoint,
      MOONBASE_S3_BUCKET: bucket,
      MOONBASE_S3_REGION: region,
      MOONBASE_S3_ACCESS_KEY: accessKey,
      MOONBASE_S3_SECRET_KEY: secretKey,
    },
    async age() {
      server.control.agedMs = AGED_MS;
    },
    unfinished: async () => [...server.uploads.keys(), ...server.objects.keys()].filter((key) => !/^blobs\//.test(key)),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
