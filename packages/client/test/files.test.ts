import {
  applyHub,
  commitAt,
  createBranch,
  createRepo,
  DamagedFileError,
  deleteFiles,
  type FileSource,
  getEntry,
  type Hub,
  listFiles,
  listHistory,
  readFile,
  type UploadProgress,
  uploadFiles,
} from '@moonbase/client';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const ADMIN = 'hf_administrator';
const ALICE = 'hf_aliceOnHerLaptop';
const BOB = 'hf_bobOnHisLaptop';
const MEBIBYTE = 1024 * 1024;

let running: Awaited<ReturnType<typeof createHub>>;
let alice: Hub;
let bob: Hub;
let number = 0;
let letters: { type: 'dataset'; repo: string };

beforeAll(async () => {
  const environment = { MOONBASE_PORT: '0', MOONBASE_DATA_DIR: ':memory:', MOONBASE_LOG_LEVEL: 'error' };
  running = await createHub(readConfig({ ...environment, MOONBASE_ADMIN_TOKEN: ADMIN }), { background: false });
  await running.prepare();
  const hubUrl = await running.start();
  const tokens = (token: string) => [{ name: 'laptop', role: 'write' as const, token }];
  const users = [
    { name: 'alice', tokens: tokens(ALICE) },
    { name: 'bob', tokens: tokens(BOB) },
  ];
  await applyHub({ hubUrl, accessToken: ADMIN, document: { users } });
  alice = { hubUrl, accessToken: ALICE };
  bob = { hubUrl, accessToken: BOB };
});
afterAll(() => running.stop());
beforeEach(async () => {
  letters = { type: 'dataset', repo: `alice/letters-${number++}` };
  await createRepo({ ...alice, ...letters });
});

const pathsOf = async (folder = '') => {
  const paths: string[] = [];
  for await (const { type, path } of listFiles({ ...alice, ...letters, folder, recursive: true }))
    if (type === 'file') paths.push(path);
  return paths;
};

const titles = async () => {
  const all: string[] = [];
  for await (const { title } of listHistory({ ...alice, ...letters, pageSize: 2 })) all.push(title);
  return all;
};

describe('files', () => {
  test('of every kind make one commit, and are read as they were', async () => {
    const weights = crypto.getRandomValues(new Uint8Array(65_536));
    const files = [
      { path: 'README.md', content: '# Letters\n' },
      { path: 'data/weights.bin', content: new Blob([weights]) },
      { path: 'data/a b#%ü.txt', content: new TextEncoder().encode('odd') },
      { path: 'empty', content: '' },
      { path: 'empty.bin', content: '' },
      { path: 'stream.txt', content: new Blob(['streamed']).stream() },
    ];
    const { commits, commitOid, uploaded } = await uploadFiles({ ...alice, ...letters, files, summary: 'Begin' });
    expect([commits.length, uploaded.length]).toEqual([1, 6]);
    expect(await commitAt({ ...alice, ...letters })).toBe(commitOid);
    expect((await getEntry({ ...alice, ...letters, path: 'data/weights.bin' })).lfs?.size).toBe(65_536);
    const text = async (path: string) => (await readFile({ ...alice, ...letters, path })).text();
    expect(await text('README.md')).toBe('# Letters\n');
    expect(await text('data/a b#%ü.txt')).toBe('odd');
    expect((await text('empty')) + (await text('empty.bin'))).toBe('');
    expect(await text('stream.txt')).toBe('streamed');
    const read = await readFile({ ...alice, ...letters, path: 'data/weights.bin' });
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(weights);
    expect(await pathsOf('data')).toEqual(['data/a b#%ü.txt', 'data/weights.bin']);
    expect(await titles()).toEqual(['Begin', 'initial commit']);
  });

  test('that the repository has are not sent again, and make no commit', async () => {
    const files = [
      { path: 'a.txt', content: 'a' },
      { path: 'b.bin', content: 'b' },
    ];
    const first = await uploadFiles({ ...alice, ...letters, files, summary: 'One' });
    const second = await uploadFiles({ ...alice, ...letters, files, summary: 'Two' });
    expect(second).toMatchObject({ commits: [], uploaded: [], unchanged: ['a.txt', 'b.bin'] });
    expect(second.commitOid).toBe(first.commitOid);
  });

  test('that patterns beside them name are large, or are left out', async () => {
    const files = [
      { path: '.gitattributes', content: '*.txt filter=lfs\n' },
      { path: '.gitignore', content: '*.log\n' },
      { path: 'a.txt', content: 'large by pattern' },
      { path: 'b.log', content: 'left out' },
    ];
    const { ignored } = await uploadFiles({ ...alice, ...letters, files, summary: 'Patterns' });
    expect(ignored).toEqual(['b.log']);
    expect((await getEntry({ ...alice, ...letters, path: 'a.txt' })).lfs).toBeDefined();
    await expect(getEntry({ ...alice, ...letters, path: 'b.log' })).rejects.toMatchObject({
      ...{ status: 404, code: 'EntryNotFound' },
    });
  });

  test('beyond the limits of a commit make several', async () => {
    const files = Array.from({ length: 7 }, (_, at) => ({ path: `${at}.txt`, content: String(at) }));
    const limits = { maxCommit: { operations: 3 }, parentCommit: await commitAt({ ...alice, ...letters }) };
    const { commits } = await uploadFiles({ ...alice, ...letters, ...limits, files, summary: 'Many' });
    expect(commits).toHaveLength(3);
    expect(await titles()).toEqual([...[3, 2, 1].map((part) => `Many (part ${part} of 3)`), 'initial commit']);
    expect(await pathsOf()).toHaveLength(8);
  });

  test('are deleted one by one, and by folders', async () => {
    const files = ['a.txt', 'b/c.txt', 'b/d.txt', 'e.txt'].map((path) => ({ path, content: path }));
    await uploadFiles({ ...alice, ...letters, files, summary: 'All' });
    await deleteFiles({ ...alice, ...letters, paths: ['a.txt', 'b/'], summary: 'Fewer' });
    expect(await pathsOf()).toEqual(['.gitattributes', 'e.txt']);
    const nothing = deleteFiles({ ...alice, ...letters, paths: ['a.txt'], summary: 'Again' });
    await expect(nothing).rejects.toMatchObject({ status: 404, code: 'EntryNotFound' });
  });

  test('are not committed on a head that has moved', async () => {
    const parentCommit = await commitAt({ ...alice, ...letters });
    const first = { path: 'a.txt', content: 'a' };
    await uploadFiles({ ...alice, ...letters, parentCommit, files: [first], summary: 'First' });
    const late = { ...alice, ...letters, parentCommit, files: [{ path: 'b.txt', content: 'b' }], summary: 'Late' };
    await expect(uploadFiles(late)).rejects.toMatchObject({ status: 412 });
  });

  test('tell how far they are', async () => {
    const seen: UploadProgress[] = [];
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    /** A source that is not a blob, as programs of Node.js have them. */
    const own = (blob: Blob): FileSource => ({
      size: blob.size,
      slice: (from, to) => own(blob.slice(from, to)),
      stream: () => blob.stream(),
    });
    const files = [
      { path: 'weights.bin', content: own(new Blob(Array.from({ length: 32 }, () => bytes))) },
      { path: 'a.txt', content: own(new Blob(['abc'])) },
    ];
    await uploadFiles({
      ...alice,
      ...letters,
      files,
      summary: 'Slowly',
      onProgress: (progress) => seen.push(progress),
    });
    const totalBytes = 2 * MEBIBYTE + 3;
    expect(new Set(seen.map(({ step }) => step))).toEqual(new Set(['hashing', 'sending', 'committing']));
    expect(seen.at(-1)).toEqual({ step: 'committing', bytes: totalBytes, totalBytes });
    const sent = seen.filter(({ step }) => step !== 'hashing').map((each) => each.bytes);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
  });

  test('end with the signal, and nothing is committed', async () => {
    const stop = new AbortController();
    const uploading = uploadFiles({
      ...{ ...alice, ...letters, signal: stop.signal, summary: 'Never' },
      files: [{ path: 'weights.bin', content: new Blob(['x'.repeat(100_000)]) }],
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(uploading).rejects.toThrow('enough');
    expect(await titles()).toEqual(['initial commit']);
  });

  test('that are not those of their commit are refused', async () => {
    await uploadFiles({ ...alice, ...letters, files: [{ path: 'a.txt', content: 'one' }], summary: 'One' });
    const known = { id: '0'.repeat(40), size: 3 };
    await expect(readFile({ ...alice, ...letters, path: 'a.txt', revision: 'main', known })).rejects.toThrow(
      DamagedFileError,
    );
  });

  test('of somebody who may only read make a pull request, of several commits too', async () => {
    const files = [
      { path: 'a.txt', content: 'a' },
      { path: 'weights.bin', content: crypto.getRandomValues(new Uint8Array(1000)) },
    ];
    const suggestion = { ...bob, ...letters, files, summary: 'Suggest', maxCommit: { operations: 1 } };
    await expect(uploadFiles(suggestion)).rejects.toMatchObject({ status: 403 });
    const { commits, pullRequestUrl } = await uploadFiles({ ...suggestion, createPullRequest: true });
    expect([commits.length, pullRequestUrl]).toEqual([2, expect.stringMatching(/\/discussions\/1$/)]);
    expect(await pathsOf()).toEqual(['.gitattributes']);
    const inside = { ...alice, ...letters, revision: 'refs/pr/1' };
    expect(await (await readFile({ ...inside, path: 'a.txt' })).text()).toBe('a');
    expect((await readFile({ ...inside, path: 'weights.bin' })).size).toBe(1000);
    const fewer = { ...bob, ...letters, branch: 'refs/pr/1', paths: ['a.txt'], summary: 'Fewer' };
    await deleteFiles(fewer);
    await expect(readFile({ ...inside, path: 'a.txt' })).rejects.toMatchObject({ code: 'EntryNotFound' });
  });

  test('are committed to branches, whatever those are called', async () => {
    await createBranch({ ...alice, ...letters, branch: 'try/this' });
    const files = [{ path: 'x/y.txt', content: 'y' }];
    await uploadFiles({ ...alice, ...letters, branch: 'try/this', files, summary: 'On a branch' });
    const read = await readFile({ ...alice, ...letters, revision: 'try/this', path: 'x/y.txt' });
    expect(await read.text()).toBe('y');
    expect(await pathsOf()).toEqual(['.gitattributes']);
  });
});
