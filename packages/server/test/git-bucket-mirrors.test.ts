import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startS3Server } from './blobs/s3-server.ts';
import { ask, bucketSettings, packsIn } from './git-bucket-fixture.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { hasGit } from './git-folder.ts';
import { MIRROR, mirrorHubs } from './mirror-hubs.ts';

const MAIN = 'refs/heads/main';

/** Starts a hub with a mirror that keeps its git objects in a bucket, and the hub that it follows. */
async function fixture() {
  const server = await startS3Server();
  const hubs = await mirrorHubs({ ...bucketSettings(server), MOONBASE_GIT_STORE: 'bucket' });
  return {
    ...{ ...hubs, server },
    /** Empties the disk of the hub with the mirror. */
    async wipe(): Promise<void> {
      const folder = dirname(dirname(hubs.gitStore.folderOf(hubs.id)));
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    },
    read: async (path: string) => (await ask(hubs.hub.url, 'alice', `/${MIRROR.repo}/resolve/main/${path}`)).text(),
    async [Symbol.asyncDispose]() {
      await hubs[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test.skipIf(!hasGit)(
  'what a mirror has received is in the bucket, also what its remote sends as changes to that',
  async () => {
    await using at = await fixture();
    const long = Array.from({ length: 2_000 }, (_, line) => `line ${line}`);
    await at.commit({ 'a.txt': 'a', 'long.txt': long.join('\n') });
    expect(await at.begin()).toMatchObject({ state: 'synced', failures: 0 });
    expect(packsIn(at.server, at.id)).toHaveLength(1);

    await at.wipe();
    expect(await at.read('a.txt')).toBe('a');
    await at.wipe();
    const changed = [...long.slice(0, 1_000), 'another line', ...long.slice(1_000)].join('\n');
    const head = await at.commit({ 'long.txt': changed });
    expect(await at.sync()).toMatchObject({ state: 'synced', failures: 0 });
    expect((await at.refs())[MAIN]).toBe(head);
    expect(packsIn(at.server, at.id)).toHaveLength(2);

    await at.wipe();
    expect(await at.read('long.txt')).toBe(changed);
    await using client = await gitClient();
    await client.run('.', 'clone', '--quiet', remoteOf(at.alice, MIRROR.repo), 'clone');
    expect(await client.run('clone', 'fsck', '--full', '--strict')).toBe('');
  },
);

test.skipIf(!hasGit)('a mirror whose bucket does not answer says so, and is synced once it does', async () => {
  await using at = await fixture();
  const head = await at.commit({ 'a.txt': 'a' });
  const before = (await at.refs())[MAIN];
  at.server.control.fault = (method) => (method === 'PUT' ? 500 : undefined);
  expect(await at.begin()).toMatchObject({ state: 'failing' });
  expect((await at.refs())[MAIN]).toBe(before);
  at.server.control.fault = undefined;
  expect(await at.sync()).toMatchObject({ state: 'synced' });
  expect((await at.refs())[MAIN]).toBe(head);
});
