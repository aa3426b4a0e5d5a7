import { createCommit } from '@moonbase/client/content';
import { onTestFinished } from 'vitest';
import { nameOf } from './blobs/bytes.ts';
import type { TestHub } from './harness.ts';
import { startWithRepos, upload } from './large-files-fixture.ts';

export const MINUTE = 60_000;

/** Uploads a file by git LFS and commits it. */
export async function commitFile(hub: TestHub, user: string, repo: string, bytes: Buffer): Promise<void> {
  const { sha256, size } = nameOf(bytes);
  await upload(hub, user, repo, { sha256, size }, bytes);
  const lines = [
    { key: 'header', value: { summary: 'weights' } },
    { key: 'lfsFile', value: { path: 'model.bin', algo: 'sha256', oid: sha256, size } },
  ];
  await createCommit({
    ...hub.as(user),
    ...{ type: 'model' as const, repo, branch: 'main' },
    operations: new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]),
  });
}

/** Lets the hub find out the chunks of the files that it has. */
export async function findOutChunks(hub: TestHub): Promise<void> {
  hub.clock.advance(MINUTE);
  await hub.drain();
}

/** Starts a hub that is stopped after the test; it serves downloads through Xet unless the settings say otherwise. */
export async function startReading(settings: Readonly<Record<string, string>> = { MOONBASE_XET_READ: 'true' }) {
  const hub = await startWithRepos(settings);
  onTestFinished(() => hub[Symbol.asyncDispose]());
  return hub;
}
