import { createHash } from 'node:crypto';
import { createRepo } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { type Change, contentHub, type Item, jsonOf, pathsOf } from './content-hub.ts';

describe('a new repository', () => {
  test('begins with a commit that has .gitattributes, as its info and its tree show', async () => {
    await using at = await contentHub();
    const info = await at.info();
    expect(info.siblings).toEqual([{ rfilename: '.gitattributes' }]);
    const tree = await at.tree('main');
    expect(tree).toMatchObject([{ type: 'file', path: '.gitattributes' }]);
    const file = await at.ask('/ada/m/resolve/main/.gitattributes');
    expect(await file.text()).toContain('*.safetensors filter=lfs diff=lfs merge=lfs -text\n');
    expect(file.headers.get('x-repo-commit')).toBe(info.sha);
    expect(file.headers.get('etag')).toBe(`"${tree[0]?.oid}"`);
    const commits = await jsonOf(await at.ask('/api/models/ada/m/commits/main'));
    expect(commits).toMatchObject([{ id: info.sha, title: 'initial commit', authors: [{ user: 'ada' }] }]);
  });
});

describe('a commit', () => {
  test('applies files, folders and deletions to a branch', async () => {
    await using at = await contentHub();
    const first = await at.commit({ files: { 'README.md': '# Hi', 'a/b/c.txt': 'deep', empty: '' } });
    expect(first).toMatchObject({ status: 200, success: true, hookOutput: '' });
    expect(first).toHaveProperty('commitUrl', `${at.hub.url}/ada/m/commit/${first.commitOid}`);
    const all = await at.tree('main?recursive=true');
    expect(pathsOf(all)).toEqual(['.gitattributes', 'README.md', 'a', 'a/b', 'a/b/c.txt', 'empty']);
    expect((await at.info()).sha).toBe(first.commitOid);
    expect(await (await at.ask('/ada/m/resolve/main/a/b/c.txt')).text()).toBe('deep');

    const second = await at.commit({
      summary: 'Tidy up\nreally',
      files: { 'é #%.txt': 'x' },
      deleted: ['a/', 'empty'],
    });
    expect(pathsOf(await at.tree('main?recursive=1'))).toEqual(['.gitattributes', 'README.md', 'é #%.txt']);
    expect(await (await at.ask(`/ada/m/resolve/main/${encodeURIComponent('é #%.txt')}`)).text()).toBe('x');
    // The files of a commit can be read under its id.
    expect(await (await at.ask(`/ada/m/resolve/${first.commitOid}/a/b/c.txt`)).text()).toBe('deep');
    const page = await at.ask('/api/models/ada/m/commits/main?limit=2');
    expect(page.headers.get('x-total-count')).toBe('3');
    expect(page.headers.get('link')).toMatch(/p=1>; rel="next"/);
    expect(await page.json()).toMatchObject([
      { id: second.commitOid, title: 'Tidy up', message: 'really' },
      { id: first.commitOid },
    ]);
  });

  test('deletes a folder that is named without a final slash', async () => {
    await using at = await contentHub();
    await at.commit({ files: { 'a/b/c.txt': '1', 'a/d.txt': '2', ab: '3' } });
    expect(await at.commit({ deleted: ['a'] })).toMatchObject({ status: 200 });
    expect(pathsOf(await at.tree('main?recursive=1'))).toEqual(['.gitattributes', 'ab']);
    expect(await at.commit({ deleted: ['a'] })).toMatchObject({ status: 404 });
  });

  test('is refused if its parent is stale, and has no effect when repeated', async () => {
    await using at = await contentHub();
    const { sha: parentCommit } = await at.info();
    const change = { parentCommit, files: { x: '1' } };
    const first = await at.commit(change);
    expect(await at.commit(change)).toEqual(first);
    const stale = await at.commit({ parentCommit, files: { y: '2' } });
    // Clients look for these words.
    const words = ['The branch was updated since you opened this page. Please refresh', 'A commit has happened since'];
    for (const text of words) expect(stale).toMatchObject({ status: 412, error: expect.stringContaining(text) });
    // A second commit adds the same content to the head.
    expect(await at.commit({ files: { x: '1' } })).toEqual(first);
  });

  test('without a parent is made on top of those of all other writers, however many there are at once', async () => {
    await using at = await contentHub();
    const names = Array.from({ length: 30 }, (_, number) => `file-${String(number).padStart(2, '0')}`);
    const answers = await Promise.all(names.map((name) => at.commit({ files: { [name]: name } })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(pathsOf(await at.tree('main'))).toEqual(['.gitattributes', ...names]);
    expect((await at.ask('/api/models/ada/m/commits/main')).headers.get('x-total-count')).toBe('31');
  });

  test('with an error changes nothing, and the refusal says what to do', async () => {
    await using at = await contentHub();
    const before = await at.info();
    const lfsFile = { key: 'lfsFile', value: { path: 'big.bin', algo: 'sha256', oid: 'a'.repeat(64), size: 5 } };
    const cases: [Change | string, number, string?][] = [
      [{ files: { '../x': '' } }, 422],
      [{ files: { '..\\x': '' } }, 422],
      [{ files: { '.git/config': '' } }, 422],
      [{ files: { 'a//b': '' } }, 422],
      [{ files: { x: '' }, deleted: ['nowhere.txt'] }, 404, 'EntryNotFound'],
      [{ files: { '.gitattributes/x': '' } }, 409],
      [{ lines: [lfsFile] }, 400],
      [{ lines: [{ key: 'file', value: { path: 'x', content: '***', encoding: 'base64' } }] }, 400],
      [{ lines: [{ key: 'nothing', value: {} }] }, 400],
      [{ files: { big: 'x'.repeat(10 * 1024 * 1024 + 1) } }, 413],
    ];
    for (const [change, status, code = null] of cases)
      expect(await at.commit(change as Change)).toMatchObject({ status, code });
    for (const branch of ['nowhere', 'a/b']) expect(await at.commit({}, { branch })).toMatchObject({ status: 404 });
    expect(await at.commit({}, { branch: before.sha })).toMatchObject({ status: 400 });
    expect(await at.commit({}, { branch: 'refs/pr/7' })).toMatchObject({ status: 404, code: 'RevisionNotFound' });
    expect(await at.commit({ files: { x: '' } }, { user: 'bob' })).toMatchObject({ status: 403 });
    for (const body of ['', '{', '[]', '{"key":"file","value":{"path":"x","content":""}}', '\ud800'])
      expect((await at.ask('/api/models/ada/m/commit/main', { method: 'POST', body })).status).toBe(400);
    expect(await at.info()).toEqual(before);
  });

  test('may be one JSON document', async () => {
    await using at = await contentHub();
    const body = JSON.stringify({
      summary: 'one document',
      files: [{ path: 'x.txt', content: 'text' }],
      deletedEntries: [{ path: '.gitattributes' }],
    });
    const headers = { 'content-type': 'application/json' };
    const response = await at.ask('/api/models/ada/m/commit/main', { method: 'POST', body, headers });
    expect(response.status).toBe(200);
    expect(pathsOf(await at.tree('main'))).toEqual(['x.txt']);
  });

  test('on another branch leaves main unchanged', async () => {
    await using at = await contentHub();
    const { sha } = await at.info();
    await at.ask('/api/models/ada/m/branch/feature%2Fone', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    const { commitOid } = await at.commit({ files: { x: '1' } }, { branch: 'feature/one' });
    expect((await at.info()).sha).toBe(sha);
    for (const revision of ['feature%2Fone', 'feature/one', 'refs%2Fheads%2Ffeature%2Fone'])
      expect(pathsOf(await at.tree(revision))).toEqual(['.gitattributes', 'x']);
    expect((await at.info('/revision/feature%2Fone')).sha).toBe(commitOid);
    expect(await (await at.ask('/ada/m/resolve/feature/one/x')).text()).toBe('1');
  });

  test('is one event with the ref that moved', async () => {
    await using at = await contentHub();
    const { sha: oldSha } = await at.info();
    const { commitOid: newSha } = await at.commit({ files: { x: '1' } });
    await at.commit({ files: { x: '1' } });
    const payloads = await at.payloads();
    expect(payloads.map(({ event, repo, updatedRefs }) => [event.scope, repo.headSha, updatedRefs])).toEqual([
      ['repo', oldSha, undefined],
      ['repo.content', newSha, [{ ref: 'refs/heads/main', oldSha, newSha }]],
    ]);
  });

  test('of many files is stored as one pack', async () => {
    await using at = await contentHub();
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`d${at % 5}/f${at}`, `content ${at}`]));
    expect(await at.commit({ files })).toMatchObject({ status: 200 });
    for (const [path, content] of Object.entries(files).slice(0, 10))
      expect(await (await at.ask(`/ada/m/resolve/main/${path}`)).text()).toBe(content);
    const { siblings } = await at.info('?blobs=true');
    expect(siblings.length).toBe(121);
    expect(siblings[1]).toMatchObject({ rfilename: 'd0/f0', size: 9 });
  });
});

describe('a list of files', () => {
  test('comes in pages, with the last commit of each entry', async () => {
    await using at = await contentHub();
    const { commitOid: first } = await at.commit({ files: { 'a/x': '1', 'b/y': '1', c: '1' } });
    const { commitOid: second } = await at.commit({ files: { 'b/y': '2' } });
    const paths: string[] = [];
    let next: string | undefined = `${at.hub.url}/api/models/ada/m/tree/main?recursive=true&limit=2`;
    while (next) {
      const page = await at.ask(next.slice(at.hub.url.length));
      paths.push(...pathsOf(await jsonOf<Item[]>(page)));
      next = /<(.*)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(paths).toEqual(['.gitattributes', 'a', 'a/x', 'b', 'b/y', 'c']);
    const expanded = await at.tree('main?expand=true');
    expect(expanded.map(({ path, lastCommit }) => [path, lastCommit?.id])).toMatchObject([
      ['.gitattributes', expect.anything()],
      ['a', first],
      ['b', second],
      ['c', first],
    ]);
    expect(pathsOf(await at.tree('main/b'))).toEqual(['b/y']);
    for (const path of ['main/nowhere', 'main/c']) {
      const refused = await at.ask(`/api/models/ada/m/tree/${path}`);
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([404, 'EntryNotFound']);
    }
    const none = await at.ask('/api/models/ada/m/tree/nowhere');
    expect([none.status, none.headers.get('x-error-code')]).toEqual([404, 'RevisionNotFound']);
  });

  test('of given paths leaves out missing ones, as JSON and as a form', async () => {
    await using at = await contentHub();
    await at.commit({ files: { 'a/x': '1', c: '1' } });
    const path = '/api/models/ada/m/paths-info/main';
    const form = await at.ask(path, {
      method: 'POST',
      body: new URLSearchParams('paths=a&paths=c&paths=no&expand=True'),
    });
    expect(await form.json()).toMatchObject([
      { path: 'a', type: 'directory', lastCommit: {} },
      { path: 'c', type: 'file', size: 1 },
    ]);
    const single = await at.ask(path, { method: 'POST', body: new URLSearchParams('paths=a%2Fx') });
    expect(pathsOf(await jsonOf<Item[]>(single))).toEqual(['a/x']);
    const body = JSON.stringify({ paths: ['a/', ''] });
    const json = await at.ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect(pathsOf(await jsonOf<Item[]>(json))).toEqual(['a']);
  });
});

describe('a download', () => {
  const text = 'abcdefghij'.repeat(1000);

  async function withFile() {
    const at = await contentHub();
    await at.commit({ files: { 'f.txt': text, empty: '' } });
    return at;
  }

  test('has the headers that clients read, also for HEAD', async () => {
    await using at = await withFile();
    const { sha } = await at.info();
    for (const method of ['GET', 'HEAD']) {
      const response = await at.ask('/ada/m/resolve/main/f.txt', { method });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-repo-commit': sha,
        'content-length': String(text.length),
        'accept-ranges': 'bytes',
        'content-disposition': `inline; filename*=UTF-8''f.txt; filename="f.txt";`,
        'x-content-type-options': 'nosniff',
      });
      expect((await response.text()).length).toBe(method === 'GET' ? text.length : 0);
    }
    const first = await at.ask('/ada/m/resolve/main/f.txt');
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    expect((await at.ask('/ada/m/resolve/main/f.txt', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await at.ask('/ada/m/raw/main/f.txt')).status).toBe(200);
  });

  test('has a second address for a commit', async () => {
    await using at = await withFile();
    const { sha } = await at.info();
    const cached = await at.ask(`/api/resolve-cache/models/ada/m/${sha}/f.txt`);
    expect([cached.status, cached.headers.get('x-repo-commit'), await cached.text()]).toEqual([200, sha, text]);
    expect(cached.headers.get('cache-control')).toContain('immutable');
    expect((await at.ask(`/api/resolve-cache/models/ada/m/${sha}/none.txt`)).status).toBe(404);
  });

  test.each([
    ['bytes=0-0', 206, 'bytes 0-0/10000', 'a'],
    ['bytes=9995-', 206, 'bytes 9995-9999/10000', 'fghij'],
    ['bytes=-3', 206, 'bytes 9997-9999/10000', 'hij'],
    ['bytes=10000-', 416, 'bytes */10000', ''],
  ])('of %s answers %i', async (range, status, contentRange, body) => {
    await using at = await withFile();
    const response = await at.ask('/ada/m/resolve/main/f.txt', { headers: { range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange]);
    expect(await response.text()).toBe(body);
  });

  test('of a part of an empty file is empty, and whole', async () => {
    await using at = await withFile();
    const response = await at.ask('/ada/m/resolve/main/empty', { headers: { range: 'bytes=0-0' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([200, 'bytes */0']);
  });

  test('of a missing file says what is missing', async () => {
    await using at = await withFile();
    const { sha } = await at.info();
    const ofEntry = await at.ask('/ada/m/resolve/main/config.json', { method: 'HEAD' });
    expect([ofEntry.status, ofEntry.headers.get('x-error-code'), ofEntry.headers.get('x-repo-commit')]).toEqual([
      404,
      'EntryNotFound',
      sha,
    ]);
    const ofRevision = await at.ask('/ada/m/resolve/nowhere/f.txt');
    expect(ofRevision.headers.get('x-error-code')).toBe('RevisionNotFound');
    const ofRepo = await at.ask('/ada/nowhere/resolve/main/f.txt');
    expect([ofRepo.status, ofRepo.headers.get('x-error-code')]).toEqual([404, 'RepoNotFound']);
  });

  test('of a private file is only for those who may read it', async () => {
    await using at = await contentHub();
    await createRepo({ ...at.hub.as('ada'), repo: 'ada/d', type: 'dataset', private: true });
    await at.commit({ files: { x: 'secret' } }, { repo: 'datasets/ada/d' });
    expect(await (await at.ask('/datasets/ada/d/resolve/main/x')).text()).toBe('secret');
    for (const path of [
      '/datasets/ada/d/resolve/main/x',
      '/api/datasets/ada/d/tree/main',
      '/api/datasets/ada/d/commits/main',
    ])
      expect((await at.ask(path, {}, 'bob')).status).toBe(404);
    expect((await fetch(`${at.hub.url}/datasets/ada/d/resolve/main/x`)).status).toBe(401);
  });
});

interface Preupload {
  readonly commitOid: string;
  readonly files: readonly { readonly uploadMode: string; readonly shouldIgnore: boolean; readonly oid?: string }[];
}

describe('preupload', () => {
  test('says how each file is to be uploaded', async () => {
    await using at = await contentHub();
    await at.commit({ files: { 'known.txt': 'x', '.gitignore': 'tmp/\n*.log\n' } });
    const zeros = Buffer.alloc(512).toString('base64');
    const files = [
      { path: 'a.txt', size: 5, sample: '' },
      { path: 'w/model.safetensors', size: 5, sample: '' },
      { path: 'model.safetensors', size: 0, sample: '' },
      { path: 'big.json', size: 20_000_000, sample: '' },
      { path: 'binary.dat', size: 200_000, sample: zeros },
      { path: 'icon.dat', size: 2_000, sample: zeros },
      { path: 'known.txt', size: 1, sample: '' },
      { path: 'tmp/x/y.txt', size: 1, sample: '' },
      { path: 'z.log', size: 1, sample: '' },
    ];
    const response = await at.ask('/api/models/ada/m/preupload/main', {
      method: 'POST',
      body: JSON.stringify({ files }),
      headers: { 'content-type': 'application/json' },
    });
    const answer: Preupload = await jsonOf(response);
    expect(answer.files.map(({ uploadMode, shouldIgnore }) => [uploadMode, shouldIgnore])).toEqual([
      ['regular', false],
      ['lfs', false],
      ['regular', false],
      ['lfs', false],
      ['lfs', false],
      ['regular', false],
      ['regular', false],
      ['regular', true],
      ['regular', true],
    ]);
    const known = (await at.tree('main')).find(({ path }) => path === 'known.txt');
    expect(answer.files[6]?.oid).toBe(known?.oid);
    expect(answer.commitOid).toBe((await at.info()).sha);
  });
});

describe('a large file', () => {
  test('is uploaded first, committed by its name, and downloaded whole or in part', async () => {
    await using at = await contentHub();
    const bytes = Buffer.from('0123456789'.repeat(500));
    const oid = createHash('sha256').update(bytes).digest('hex');
    const object = { oid, size: bytes.length };
    const lines = [{ key: 'lfsFile', value: { path: 'w/model.bin', algo: 'sha256', ...object } }];
    expect(await at.commit({ lines })).toMatchObject({ status: 400 });
    await at.upload(bytes);
    expect(await at.commit({ lines })).toMatchObject({ status: 200 });
    const { sha, usedStorage } = await at.info();
    expect(usedStorage).toBe(5000);
    const file = await at.ask('/ada/m/resolve/main/w/model.bin');
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(file.headers)).toMatchObject({ etag: `"${oid}"`, 'x-repo-commit': sha });
    const part = await at.ask('/ada/m/resolve/main/w/model.bin', { headers: { range: 'bytes=5-7' } });
    expect([part.status, await part.text()]).toEqual([206, '567']);
    expect(await (await at.ask('/ada/m/raw/main/w/model.bin')).text()).toContain(`oid sha256:${oid}\nsize 5000\n`);
    expect(await at.tree('main/w')).toMatchObject([{ path: 'w/model.bin', size: 5000, lfs: { oid, size: 5000 } }]);
    // Another repository does not get the file by naming its hash.
    await createRepo({ ...at.hub.as('bob'), repo: 'bob/m' });
    expect(await at.commit({ lines }, { repo: 'models/bob/m', user: 'bob' })).toMatchObject({ status: 400 });
  });
});
