import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createGitStore } from './git-store.ts';
import { history } from './history.ts';
import { encodeCommit } from './objects/commit.ts';
import type { GitRepository } from './repository.ts';
import { changeTree, type TreeChange, TreeConflict } from './tree-changes.ts';
import { listTree } from './tree-walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'moonbase-git-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const person = { name: 'Ada Lovelace', email: 'ada@example.com', time: 1_700_000_000_000 };
const store = () => createGitStore(folder, { durable: false });

let made = 0;
const newId = () => (made++).toString(16).padStart(24, '0');

function git(id: string, args: readonly string[], input?: string | Buffer): Buffer {
  const environment = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  const options = { env: environment, input, stdio: ['pipe', 'pipe', 'pipe'] as const, maxBuffer: 2 ** 28 };
  return execFileSync('git', ['--git-dir', store().folderOf(id), ...args], { ...options, stdio: [...options.stdio] });
}

const hasGit = (() => {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

type Files = Readonly<Record<string, string>>;

/** Writes one commit whose files are put and deleted as given; returns its id. */
async function commit(repository: GitRepository, parent: string | undefined, put: Files, gone: readonly string[] = []) {
  const writer = repository.writer();
  const changes: TreeChange[] = gone.map((path) => ({ kind: 'delete', path }));
  for (const [path, content] of Object.entries(put))
    changes.push({ kind: 'put', path, id: await writer.add({ type: 'blob', body: Buffer.from(content) }) });
  const before = parent && (await repository.readCommit(parent)).tree;
  const addTree = (body: Buffer) => writer.add({ type: 'tree', body });
  const tree = await changeTree(repository, addTree, before, changes);
  const parents = parent === undefined ? [] : [parent];
  const body = encodeCommit({ tree, parents, author: person, committer: person, message: `change ${made}` });
  const id = await writer.add({ type: 'commit', body });
  await writer.finish();
  return id;
}

/** Reads every file of a commit, by its path. */
async function filesOf(repository: GitRepository, commitId: string): Promise<Files> {
  const files: Record<string, string> = {};
  const { tree } = await repository.readCommit(commitId);
  for await (const { path, id, mode } of listTree(repository, tree, { prefix: '', recursive: true }))
    if (mode !== '40000') files[path] = (await repository.read(id)).body.toString();
  return files;
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at} of a text that repeats itself\n`).join('');

describe('a repository without stock git', () => {
  test('returns the files that were written, loose or packed', async () => {
    const id = newId();
    await store().create(id);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`d${at % 7}/f${at}.txt`, `${at}`]));
    const first = await commit(store().open(id), undefined, many);
    const second = await commit(store().open(id), first, { 'd1/f1.txt': 'new' }, ['d0/f0.txt']);
    const { 'd0/f0.txt': _gone, ...rest } = many;
    expect(await filesOf(store().open(id), second)).toEqual({ ...rest, 'd1/f1.txt': 'new' });
  });

  test('resumes a listing after any entry', async () => {
    const id = newId();
    await store().create(id);
    const repository = store().open(id);
    const head = await commit(repository, undefined, { 'a.b': '', 'a/b/c': '1', 'a/d': '2', a0: '3', 'z/é': '4' });
    const { tree } = await repository.readCommit(head);
    const all: { path: string; folder: boolean }[] = [];
    for await (const { path, mode } of listTree(repository, tree, { prefix: '', recursive: true }))
      all.push({ path, folder: mode === '40000' });
    expect(all.map(({ path }) => path)).toEqual(['a.b', 'a', 'a/b', 'a/b/c', 'a/d', 'a0', 'z', 'z/é']);
    for (const [at, after] of all.entries()) {
      const rest: string[] = [];
      for await (const { path } of listTree(repository, tree, { prefix: '', recursive: true, after })) rest.push(path);
      expect(rest).toEqual(all.slice(at + 1).map(({ path }) => path));
    }
  });

  test('refuses changes that conflict with its tree', async () => {
    const id = newId();
    await store().create(id);
    const repository = store().open(id);
    const head = await commit(repository, undefined, { 'a/b': '1', c: '2' });
    for (const [put, gone] of [
      [{ 'c/d': '' }, []],
      [{ a: '' }, []],
      [{}, ['nowhere/x']],
      [{}, ['a']],
    ] as const)
      await expect(commit(repository, head, put, gone)).rejects.toThrow(TreeConflict);
    const replaced = await commit(repository, head, { 'c/d': '3' }, ['c']);
    expect(await filesOf(repository, replaced)).toEqual({ 'a/b': '1', 'c/d': '3' });
  });
});

describe.skipIf(!hasGit)('stock git', () => {
  const name = fc.stringMatching(/^[a-c][a-c.0 #%é-]{0,3}$/);
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const round = fc.dictionary(path, fc.string({ maxLength: 40 }), { maxKeys: 12, noNullPrototype: true });

  test('finds no fault in what the hub writes, and lists the same files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        const id = newId();
        await store().create(id);
        const repository = store().open(id);
        let head: string | undefined;
        let commits = 0;
        for (const put of rounds)
          try {
            head = await commit(repository, head, put);
            commits++;
          } catch (error) {
            if (!(error instanceof TreeConflict)) throw error;
          }
        if (head === undefined) return;
        await store().writeRefs(id, [{ ref: 'refs/heads/main', sha: head }]);
        expect(git(id, ['fsck', '--full', '--strict', '--no-dangling']).toString()).toBe('');
        const listed = git(id, ['ls-tree', '-r', '-z', '--name-only', 'main']).toString().split('\0').filter(Boolean);
        const files = await filesOf(repository, head);
        expect(Object.keys(files)).toEqual(listed);
        expect(git(id, ['rev-list', '--count', 'main']).toString().trim()).toBe(String(commits));
        git(id, ['repack', '-adfq', '--depth=50', '--window=20']);
        expect(await filesOf(store().open(id), head)).toEqual(files);
      }),
      { numRuns: 12, seed: 7 },
    );
  });

  test('writes packs with deltas that the hub can read', async () => {
    const id = newId();
    await store().create(id);
    const repository = store().open(id);
    let head: string | undefined;
    for (let at = 0; at < 30; at++)
      head = await commit(repository, head, { 'text.txt': lines(at, 400 + at), [`folder/${at}`]: lines(0, at) });
    if (head === undefined) throw new Error('Nothing was written');
    await store().writeRefs(id, [{ ref: 'refs/heads/main', sha: head }]);
    const files = await filesOf(repository, head);
    git(id, ['repack', '-adfq', '--depth=200', '--window=50']);
    const again = store().open(id);
    expect(await filesOf(again, head)).toEqual(files);
    const ids: string[] = [];
    for await (const each of history(again, [head])) ids.push(each.id);
    expect(ids.length).toBe(30);
    for (const line of git(id, ['cat-file', '--batch-all-objects', '--batch-check']).toString().trim().split('\n')) {
      const [object = '', type, size] = line.split(' ');
      expect(await store().open(id).header(object)).toEqual({ type, size: Number(size) });
      const { body } = await store().open(id).stream(object);
      let length = 0;
      for await (const chunk of body) length += chunk.length;
      expect(length).toBe(Number(size));
    }
  });

  test('completes thin packs, whose bases other packs have as well', async () => {
    const [id, thin] = [newId(), newId()];
    const text = lines(0, 400);
    const changed = (at: number) => ({ 'text.txt': text.replace(/.*/, `change ${at}`) });
    await store().create(thin);
    const first = await commit(store().open(thin), undefined, { 'text.txt': text });
    await store().copy(thin, id);
    git(id, ['update-ref', 'refs/heads/main', first]);
    git(id, ['repack', '-adq']);
    let head = first;
    for (let at = 0; at < 8; at++) {
      const next = await commit(store().open(thin), head, changed(at));
      const pack = git(thin, ['pack-objects', '--revs', '--thin', '--stdout', '-q'], `${next}\n^${head}\n`);
      git(id, ['index-pack', '--stdin', '--fix-thin'], pack);
      head = next;
      expect(await filesOf(store().open(id), head)).toEqual(changed(at));
    }
  });

  test('writes commits, tags and modes that the hub can read', async () => {
    const id = newId();
    await store().create(id);
    git(
      id,
      ['fast-import', '--quiet'],
      [
        'commit refs/heads/main',
        'committer Ärger <a@b> 1700000000 +0200',
        'data 3\nhi\n',
        'M 100755 inline run.sh\ndata 2\n#!',
        'M 120000 inline link\ndata 6\nrun.sh',
        'tag v1\nfrom refs/heads/main\ntagger T <t@t> 1700000000 +0000\ndata 3\none\n',
      ].join('\n'),
    );
    const repository = store().open(id);
    const tag = git(id, ['rev-parse', 'v1']).toString().trim();
    const main = git(id, ['rev-parse', 'main']).toString().trim();
    expect(await repository.peel(tag)).toBe(main);
    const { tree, author, message } = await repository.readCommit(main);
    expect({ author, message }).toEqual({
      author: { name: 'Ärger', email: 'a@b', time: 1_700_000_000_000 },
      message: 'hi\n',
    });
    const entries = await repository.readTree(tree);
    expect(entries.map(({ name, mode }) => [name, mode])).toEqual([
      ['link', '120000'],
      ['run.sh', '100755'],
    ]);
    expect(await repository.idsWithPrefix(main.slice(0, 7))).toEqual([main]);
  });
});
