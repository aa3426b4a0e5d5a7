import { truncate, writeFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { createAccessToken } from '@moonbase/client/access-tokens';
import { createRepo } from '@moonbase/client/repositories';
import { afterEach, describe, expect, test } from 'vitest';
import { createFolderStore } from '../../packages/server/src/platform/blobs/folder/folder-store.ts';
import { HOUR } from '../../packages/server/test/clock.ts';
import { remoteOf } from '../../packages/server/test/git-client.ts';
import { startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { type LfsClient, lfsClient } from './lfs-client.ts';
import { programOf } from './python-clients.ts';

/** git-lfs as a client of a hub in this process, whose clock, disk and limits the tests choose. */
const REPO = 'alice/letters';
const MEBIBYTE = 1024 * 1024;

let closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of closing) await each[Symbol.asyncDispose]();
  closing = [];
});

type Overrides = NonNullable<Parameters<typeof startHub>[1]>;

/** Starts a hub with a model of alice and a clone of it. */
async function fixture({
  overrides = {},
  settings = {},
  environment = {},
}: {
  overrides?: Overrides;
  settings?: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string>>;
} = {}): Promise<{ hub: TestHub; client: LfsClient }> {
  const hub = await startHub(settings, overrides);
  const client = await lfsClient(environment);
  closing = [client, hub];
  await hub.people('alice');
  await createRepo({ ...hub.as('alice'), repo: REPO });
  await client.run('.', 'clone', '--quiet', remoteOf(hub.as('alice'), REPO), 'clone');
  return { hub, client };
}

test.each(['newest', 'oldest'] as const)(
  'huggingface_hub (%s) sends a large file in parts for git-lfs',
  async (python) => {
    const PATH = [dirname(programOf(python, 'hf')), process.env.PATH].join(delimiter);
    const environment = { PATH, HF_HUB_DISABLE_TELEMETRY: '1', HF_HUB_DISABLE_UPDATE_CHECK: '1' };
    const { hub, client } = await fixture({ overrides: { partsFromBytes: 10 * MEBIBYTE }, environment });
    const enabled =
      python === 'oldest' ? ['huggingface-cli', 'lfs-enable-largefiles'] : ['hf', 'lfs-enable-largefiles'];
    await client.run('clone', 'config', 'alias.hf', `!${enabled.join(' ')}`);
    await client.run('clone', 'hf', '.');
    // A file with holes, of a whole part and a rest.
    await writeFile(client.pathOf('clone', 'weights.bin'), 'begin');
    await truncate(client.pathOf('clone', 'weights.bin'), 70 * MEBIBYTE);
    await client.commit('clone', { 'small.bin': 1000 });
    const { code, terminal } = await client.start('clone', ['push', 'origin', 'main'], { GIT_TRACE: '1' }).ended;
    expect([code, terminal]).toEqual([0, expect.stringMatching(/lfs-multipart-upload/)]);
    await client.run('.', 'clone', '--quiet', remoteOf(hub.as('alice'), REPO), 'again');
    expect(await client.run('again', 'lfs', 'fsck')).toBe('Git LFS fsck OK');
    expect(await client.hash('again', 'weights.bin')).toBe(await client.hash('clone', 'weights.bin'));
  },
);

describe('git-lfs shows the sentence of the hub', () => {
  test('when a quota is exceeded', async () => {
    const { hub, client } = await fixture({ settings: { MOONBASE_QUOTA_USER_GIB: '1' } });
    await hub.database.transaction(async (tx) => {
      const { id } = await tx.selectFrom('repositories').select('id').executeTakeFirstOrThrow();
      const blob = { sha256: '1'.repeat(64), size: 1024 ** 3, state: 'stored' as const };
      await tx
        .insertInto('blobs')
        .values({ ...blob, unused_since: null, checked_at: 0 })
        .execute();
      const grant = { pusher_id: null, pushed_at: 0, filename: null, ref: null };
      await tx
        .insertInto('repo_files')
        .values({ repo_id: id, sha256: blob.sha256, size: blob.size, ...grant })
        .execute();
    });
    await client.commit('clone', { 'a.bin': 1000 });
    const [code, text] = await client.shown('clone', 'push', 'origin', 'main');
    expect([code, text]).toEqual([1, expect.stringMatching(/alice may have 1 GiB of large files/)]);
  });

  test('when the disk is full, and pushes once there is space again', async () => {
    let free = 0;
    const { client } = await fixture({
      overrides: {
        blobs: createFolderStore({
          folder: `${(await lfsFolder()).folder}/blobs`,
          now: () => Date.now(),
          freeBytes: async () => free,
        }),
      },
    });
    await client.commit('clone', { 'a.bin': 1000 });
    await client.run('clone', 'config', 'lfs.transfer.maxretries', '1');
    const [code, text] = await client.shown('clone', 'push', 'origin', 'main');
    expect([code, text]).toEqual([1, expect.stringMatching(/There is no space for this file on the disk of the hub/)]);
    free = 1024 ** 4;
    expect(await client.shown('clone', 'push', 'origin', 'main')).toEqual([0, expect.any(String)]);
  });

  test('when a token has expired', async () => {
    const { hub, client } = await fixture();
    const expiresAt = new Date(hub.clock.now() + HOUR).toISOString();
    const made = await createAccessToken({ ...hub.as('alice'), displayName: 'short', role: 'write', expiresAt });
    await client.run('clone', 'remote', 'set-url', 'origin', remoteOf(hub.with(made.token), REPO));
    await client.commit('clone', { 'a.bin': 1000 });
    hub.clock.advance(HOUR);
    const [code, text] = await client.shown('clone', 'lfs', 'push', 'origin', 'main');
    expect(code).not.toBe(0);
    expect(text).toMatch(/Invalid credentials in Authorization header/);
  });
});

/** Creates a folder that is deleted after the test. */
async function lfsFolder(): Promise<LfsClient> {
  const folder = await lfsClient();
  closing.push(folder);
  return folder;
}
