import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commit, createRepo, downloadFile, listFiles } from '@huggingface/hub';
import { applyHub } from '@moonbase/client/admin';
import { updateRepoSettings } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { FILE_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

const ADMIN = 'hf_administratorOfTheUpstream';
const ADA = 'hf_adaAtTheUpstreamOnly';
const REPO = 'ada/bert';
const SIZE = 12_000_000;
const FILES: Readonly<Record<string, Buffer>> = {
  'config.json': Buffer.from('{"hidden_size": 4}'),
  'deep/a b#%é.txt': Buffer.from('with blanks'),
  'empty.txt': Buffer.alloc(0),
  'model.bin': randomBytes(SIZE),
};

let folder: string;
let upstream: HubProcess;
let world: World;
let head: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-compat-upstream-'));
  upstream = await startHubProcess({
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ADMIN,
    MOONBASE_XET_READ: 'true',
    MOONBASE_ANONYMOUS_READ: 'false',
  });
  const tokens = [{ name: 'test', role: 'write' as const, token: ADA }];
  await applyHub({ hubUrl: upstream.url, accessToken: ADMIN, document: { users: [{ name: 'ada', tokens }] } });
  const ada = { hubUrl: upstream.url, accessToken: ADA };
  await createRepo({ ...ada, repo: REPO });
  await createRepo({ ...ada, repo: 'ada/secret', private: true });
  await createRepo({ ...ada, repo: 'ada/gated' });
  await updateRepoSettings({ ...ada, type: 'model', repo: 'ada/gated', settings: { gated: 'manual' } });
  await createRepo({ ...ada, repo: { type: 'dataset', name: 'ada/letters' } });
  await createRepo({ ...ada, repo: { type: 'space', name: 'ada/show' }, sdk: 'static' });
  const made = await commit({
    ...{ ...ada, repo: REPO, title: 'A model' },
    operations: Object.entries(FILES).map(([path, bytes]) => ({
      ...{ operation: 'addOrUpdate' as const, path },
      content: new Blob([new Uint8Array(bytes)]),
    })),
  });
  head = made?.commit.oid ?? '';
  world = await startWorld({
    MOONBASE_UPSTREAM_URL: upstream.url,
    MOONBASE_UPSTREAM_TOKEN: ADA,
    MOONBASE_UPSTREAM_FRESH_SECONDS: '1',
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await upstream.stop();
  await rm(folder, { recursive: true, force: true });
});

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the SHA-256 of each file of the repository, as the upstream itself sends them. */
async function digests(): Promise<Record<string, string>> {
  const ada = { hubUrl: upstream.url, accessToken: ADA, repo: REPO };
  const attributes = await downloadFile({ ...ada, path: '.gitattributes' });
  const files = {
    ...FILES,
    '.gitattributes': Buffer.from(attributes ? await attributes.arrayBuffer() : new ArrayBuffer(0)),
  };
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, sha256Of(bytes)]));
}

test.each([...FILE_CLIENTS.map((client) => [client, {}] as const), ['newest', { HF_HUB_DISABLE_XET: '1' }] as const])(
  'huggingface_hub (%s, %o) reads what only the upstream has',
  async (client, variables) => {
    const given = { repo: REPO, head, digests: await digests(), isAway: false };
    await world.python('upstream_story', given, client, variables);
  },
);

test('hf download and @huggingface/hub read what only the upstream has', async () => {
  const { status, stdout, stderr } = await world.hf('alice', [
    'download',
    REPO,
    'model.bin',
    '--local-dir',
    join(folder, 'hf'),
  ]);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect(stdout).toContain('model.bin');
  expect(sha256Of(await readFile(join(folder, 'hf', 'model.bin')))).toBe(
    sha256Of(FILES['model.bin'] ?? Buffer.alloc(0)),
  );
  const as = { ...world.as('alice'), repo: { type: 'model' as const, name: REPO } };
  const paths = (await collect(listFiles({ ...as, recursive: true }))).map(({ path }) => path);
  expect(paths).toEqual(['.gitattributes', 'config.json', 'deep', 'deep/a b#%é.txt', 'empty.txt', 'model.bin']);
  const file = await downloadFile({ ...as, path: 'model.bin' });
  expect(sha256Of(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(
    sha256Of(FILES['model.bin'] ?? Buffer.alloc(0)),
  );
});

test('huggingface_hub reads all of it again when the upstream is away', async () => {
  const given = { repo: REPO, head, digests: await digests(), isAway: true };
  await upstream.stop();
  await world.python('upstream_story', given, 'newest');
});
