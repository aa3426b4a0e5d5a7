import { squashBranch } from '@moonbase/client/content';
import { createDiscussion, getDiscussion, getPullRequestStorage, mergePullRequest } from '@moonbase/client/discussions';
import { deleteLargeFile, deleteLargeFiles, listLargeFiles } from '@moonbase/client/large-files';
import { createBranch, createTag, deleteBranch, listRefs } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { contentHub, jsonOf, pathsOf } from './content-hub.ts';
import { hasGit, knownGitStore, stockGit } from './git-folder.ts';
import { collect } from './harness.ts';

const MODEL = { type: 'model', repo: 'ada/m' } as const;
const NO_REVISION = { status: 404, code: 'RevisionNotFound' };

async function history() {
  const gitStore = knownGitStore();
  const at = await contentHub({ gitStore });
  const ada = { ...at.hub.as('ada'), ...MODEL };
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const git = (...args: string[]) => stockGit(gitStore, _id, ...args);
  const movesOf = async (): Promise<unknown[][]> => {
    const payloads = await at.payloads();
    return payloads.filter(({ event }) => event.scope === 'repo.content').map(({ updatedRefs }) => updatedRefs);
  };
  const targets = async () => {
    const { branches, tags } = await listRefs(ada);
    return Object.fromEntries([...branches, ...tags].map(({ ref, targetCommit }) => [ref, targetCommit]));
  };
  const commits = async (revision: string): Promise<{ id: string; title: string }[]> =>
    jsonOf(await at.ask(`/api/models/ada/m/commits/${encodeURIComponent(revision)}`));
  return { ...at, ada, git, movesOf, targets, commits, fsck: () => git('fsck', '--full', '--strict') };
}

describe('a tag with a message', () => {
  test('is an object of its own, and leads to the commit wherever it is read', async () => {
    await using at = await history();
    const { commitOid } = await at.commit({ files: { x: '1' } });
    await createTag({ ...at.ada, tag: 'v1', revision: 'main', message: 'The first\n\nwith a body' });
    await createTag({ ...at.ada, tag: 'light', revision: 'v1' });
    await at.commit({ files: { x: '2' } });
    expect(await at.targets()).toMatchObject({ 'refs/tags/v1': commitOid, 'refs/tags/light': commitOid });
    expect(await (await at.ask('/ada/m/resolve/v1/x')).text()).toBe('1');
    expect(pathsOf(await at.tree('v1'))).toEqual(['.gitattributes', 'x']);
    expect((await at.movesOf())[1]).toEqual([{ ref: 'refs/tags/v1', oldSha: null, newSha: commitOid }]);
    if (!hasGit) return;
    await expect.poll(() => at.git('for-each-ref')).toContain('refs/tags/light');
    expect(at.git('cat-file', '-t', 'v1')).toBe('tag');
    expect(at.git('rev-parse', 'v1^{commit}', 'light')).toBe(`${commitOid}\n${commitOid}`);
    expect(at.git('cat-file', '-p', 'v1')).toMatch(/\ntagger ada <.*\n\nThe first\n\nwith a body$/);
    await expect.poll(() => at.fsck()).toBe('');
  });

  test('on a repository that has nothing but its first commit can be read by stock git', async () => {
    await using at = await history();
    const { sha } = await at.info();
    await createTag({ ...at.ada, tag: 'v0', revision: sha.slice(0, 10), message: 'Nothing yet' });
    expect(await at.targets()).toMatchObject({ 'refs/tags/v0': sha });
    if (!hasGit) return;
    // The refs on disk change after the answer.
    await expect.poll(() => at.git('for-each-ref')).toContain('refs/tags/v0');
    expect(at.git('rev-parse', 'v0^{commit}', 'main')).toBe(`${sha}\n${sha}`);
    await expect.poll(() => at.fsck()).toBe('');
  });
});

describe('a branch', () => {
  test('may begin at any commit that a ref leads to, which may be named by a prefix of its id', async () => {
    await using at = await history();
    const { sha: root } = await at.info();
    const { commitOid: middle } = await at.commit({ files: { x: '1' } });
    await at.commit({ files: { x: '2' } });
    await createBranch({ ...at.ada, branch: 'by-id', startingPoint: middle });
    await createBranch({ ...at.ada, branch: 'by-short-id', startingPoint: root.slice(0, 7) });
    expect(await at.targets()).toMatchObject({ 'refs/heads/by-id': middle, 'refs/heads/by-short-id': root });
    // A commit without a ref is not found.
    const { commitOid: lost } = await at.commit({ files: { y: '' } }, { branch: 'by-id' });
    await deleteBranch({ ...at.ada, branch: 'by-id' });
    await expect(createBranch({ ...at.ada, branch: 'found', startingPoint: lost })).rejects.toMatchObject(NO_REVISION);
    await expect(createTag({ ...at.ada, tag: 'found', revision: lost.slice(0, 9) })).rejects.toMatchObject(NO_REVISION);
  });

  test('that begins empty accepts commits, and stock git finds all of them', async () => {
    await using at = await history();
    await at.commit({ files: { x: '1' } });
    await createBranch({ ...at.ada, branch: 'empty', emptyBranch: true });
    if (hasGit) await expect.poll(() => at.fsck()).toBe('');
    await at.commit({ files: { y: '2' } }, { branch: 'empty' });
    expect(pathsOf(await at.tree('empty'))).toEqual(['y']);
    await createBranch({ ...at.ada, branch: 'empty', startingPoint: 'main', overwrite: true });
    expect(pathsOf(await at.tree('empty'))).toEqual(['.gitattributes', 'x']);
    if (hasGit) expect(at.fsck()).not.toMatch(/missing|broken|error/);
  });
});

describe('squashing a branch', () => {
  test('leaves one commit with the same files, and records one event', async () => {
    await using at = await history();
    const { sha: root } = await at.info();
    await at.commit({ files: { x: '1' } });
    const { commitOid: head } = await at.commit({ files: { 'a/y': '2' } });
    await createTag({ ...at.ada, tag: 'before', revision: 'main' });
    const { commitId } = await squashBranch({ ...at.ada, branch: 'main', message: 'All of it' });
    expect(await at.commits('main')).toMatchObject([{ id: commitId, title: 'All of it' }]);
    expect((await at.info()).sha).toBe(commitId);
    expect(pathsOf(await at.tree('main?recursive=1'))).toEqual(['.gitattributes', 'a', 'a/y', 'x']);
    expect((await at.movesOf()).at(-1)).toEqual([{ ref: 'refs/heads/main', oldSha: head, newSha: commitId }]);
    // Commits of other refs stay.
    expect(await at.commits('before')).toHaveLength(3);
    expect((await at.ask(`/ada/m/resolve/${root}/.gitattributes`)).status).toBe(200);
    await at.commit({ files: { z: '3' } });
    expect(await at.commits('main')).toHaveLength(2);
    if (hasGit) await expect.poll(() => at.fsck()).toBe('');
  });

  test('is possible only for branches, and only with write access', async () => {
    await using at = await history();
    const { sha } = await at.info();
    await createTag({ ...at.ada, tag: 'v1', revision: 'main' });
    for (const branch of ['nowhere', 'v1', sha, 'refs/tags/v1'])
      await expect(squashBranch({ ...at.ada, branch })).rejects.toMatchObject(NO_REVISION);
    const bob = { ...at.hub.as('bob'), ...MODEL, branch: 'main' };
    await expect(squashBranch(bob)).rejects.toMatchObject({ status: 403 });
    await expect(squashBranch({ ...at.ada, branch: 'main', message: 'x'.repeat(501) })).rejects.toMatchObject({
      status: 400,
    });
    expect((await at.info()).sha).toBe(sha);
  });

  test('is possible for a pull request that accepts commits, with one event', async () => {
    await using at = await history();
    const { sha: main } = await at.info();
    await createDiscussion({ ...at.ada, title: 'A change', description: '', pullRequest: true });
    await at.commit({ files: { x: '1' } }, { branch: 'refs/pr/1' });
    const { commitOid: head } = await at.commit({ files: { y: '2' } }, { branch: 'refs/pr/1' });
    const pull = { ...at.ada, branch: 'refs/pr/1' };
    await expect(squashBranch({ ...at.hub.as('bob'), ...MODEL, branch: 'refs/pr/1' })).rejects.toMatchObject({
      status: 403,
    });
    const { commitId } = await squashBranch({ ...pull, message: 'Both of it' });
    expect(await at.commits('refs/pr/1')).toMatchObject([{ id: commitId, title: 'Both of it' }]);
    expect(pathsOf(await at.tree(`${encodeURIComponent('refs/pr/1')}`))).toEqual(['.gitattributes', 'x', 'y']);
    expect((await at.movesOf()).at(-1)).toEqual([{ ref: 'refs/pr/1', oldSha: head, newSha: commitId }]);
    const { events } = await getDiscussion({ ...at.ada, num: 1 });
    expect(events.at(-1)).toMatchObject({ type: 'commit', data: { subject: 'Both of it', oid: commitId } });
    expect((await at.info()).sha).toBe(main);
    await mergePullRequest({ ...at.ada, num: 1 });
    expect(pathsOf(await at.tree('main'))).toEqual(['.gitattributes', 'x', 'y']);
    await expect(squashBranch(pull)).rejects.toMatchObject({ status: 409 });
    await expect(squashBranch({ ...at.ada, branch: 'refs/pr/2' })).rejects.toMatchObject(NO_REVISION);
    if (hasGit) expect(at.fsck()).not.toMatch(/missing|broken|error/);
  });

  test('while others commit keeps all of their commits', async () => {
    await using at = await history();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all([
      ...names.map((name) => at.commit({ files: { [name]: name } })),
      squashBranch({ ...at.ada, branch: 'main' }),
    ]);
    expect(pathsOf(await at.tree('main'))).toEqual(['.gitattributes', ...names]);
  });
});

const large = (path: string, oid: string, size: number) => ({
  key: 'lfsFile',
  value: { path, algo: 'sha256', oid, size },
});

test('the storage of a pull request is that of the large files which it alone has brought', async () => {
  await using at = await history();
  const upload = (bytes: number, text: string) => at.upload(Buffer.alloc(bytes, text));
  const [old, replaced, kept] = [await upload(10, 'o'), await upload(200, 'r'), await upload(3000, 'k')];
  await at.commit({ lines: [large('old.bin', old, 10)] });
  const storage = async (num = 1) => (await getPullRequestStorage({ ...at.ada, num })).estimatedStorage;
  await createDiscussion({ ...at.ada, title: 'A change', description: '', pullRequest: true });
  expect(await storage()).toBe(0);
  const pull = { branch: 'refs/pr/1' };
  await at.commit({ lines: [large('new.bin', replaced, 200), large('copy.bin', old, 10)], files: { x: '1' } }, pull);
  await at.commit({ lines: [large('new.bin', kept, 3000), large('again.bin', kept, 3000)] }, pull);
  expect(await storage()).toBe(3200);
  await createDiscussion({ ...at.ada, title: 'Another', description: '', pullRequest: true });
  await at.commit({ lines: [large('new.bin', kept, 3000)] }, { branch: 'refs/pr/2' });
  expect(await storage(2)).toBe(0);
  await mergePullRequest({ ...at.ada, num: 1 });
  expect(await storage()).toBe(0);
});

describe('deleting a large file with its history', () => {
  test('removes it from every commit of every ref, and moves all refs in one event', async () => {
    await using at = await history();
    const [wrong, right] = [await at.upload(Buffer.from('wrong')), await at.upload(Buffer.from('right'))];
    const { commitOid: before } = await at.commit({ files: { 'README.md': 'Hi' } });
    await createBranch({ ...at.ada, branch: 'old' });
    await at.commit({ lines: [large('w/a.bin', wrong, 5), large('w/b.bin', right, 5)], files: { 'only/x': '1' } });
    await createTag({ ...at.ada, tag: 'v1', revision: 'main', message: 'With a mistake' });
    await at.commit({ lines: [large('deep/er/c.bin', wrong, 5)], summary: 'Ünïcode' });
    const { sha: head } = await at.info();
    const [listed] = (await collect(listLargeFiles(at.ada))).filter(({ oid }) => oid === wrong);
    await deleteLargeFiles({ ...at.ada, deletions: { sha: [listed?.fileOid ?? '', 'f'.repeat(64)] } });

    const { sha } = await at.info();
    const targets = await at.targets();
    expect(targets).toMatchObject({ 'refs/heads/main': sha, 'refs/heads/old': before });
    expect(pathsOf(await at.tree('main?recursive=1'))).toEqual([
      ...['.gitattributes', 'README.md', 'only', 'only/x', 'w', 'w/b.bin'],
    ]);
    expect(pathsOf(await at.tree('v1/w'))).toEqual(['w/b.bin']);
    expect((await at.commits('main')).map(({ title }) => title)).toEqual([
      ...['Ünïcode', 'change', 'change', 'initial commit'],
    ]);
    const moves = (await at.movesOf()).at(-1);
    expect(moves).toHaveLength(2);
    expect(moves).toEqual(
      expect.arrayContaining([
        { ref: 'refs/heads/main', oldSha: head, newSha: sha },
        { ref: 'refs/tags/v1', oldSha: expect.any(String), newSha: targets['refs/tags/v1'] },
      ]),
    );
    expect((await collect(listLargeFiles(at.ada))).map(({ oid }) => oid)).toEqual([right]);
    expect(await (await at.ask('/ada/m/resolve/main/w/b.bin')).text()).toBe('right');
    if (!hasGit) return;
    expect(at.fsck()).not.toMatch(/missing|broken|error/);
    await expect.poll(() => at.git('for-each-ref')).toContain('refs/tags/v1');
    expect(at.git('cat-file', '-t', 'v1')).toBe('tag');
    expect(at.git('tag', '-l', '-n1', 'v1')).toMatch(/With a mistake/);
  });

  test('that the repository does not have, or that no commit names, moves no ref', async () => {
    await using at = await history();
    const oid = await at.upload(Buffer.from('unused'));
    const one = { ...at.ada, rewriteHistory: 'true', sha: oid } as const;
    const { sha } = await at.info();
    await deleteLargeFile(one);
    await expect(deleteLargeFile(one)).rejects.toMatchObject({ status: 404 });
    await deleteLargeFiles({ ...at.ada, deletions: { sha: [oid] } });
    expect((await at.info()).sha).toBe(sha);
    expect(await at.movesOf()).toEqual([]);
  });

  test('without its history leaves the commits as they are', async () => {
    await using at = await history();
    const oid = await at.upload(Buffer.from('unloved'));
    const { commitOid } = await at.commit({ lines: [large('x.bin', oid, 7)] });
    await deleteLargeFiles({ ...at.ada, deletions: { sha: [oid], rewriteHistory: false } });
    expect((await at.info()).sha).toBe(commitOid);
    expect((await at.ask('/ada/m/resolve/main/x.bin')).status).toBe(404);
  });
});

test('the size of a folder counts large files with their real size', async () => {
  await using at = await history();
  const bytes = Buffer.alloc(5000);
  const oid = await at.upload(bytes);
  await at.commit({
    files: { 'a/b/c.txt': '12345', 'a/d': '123' },
    lines: [{ key: 'lfsFile', value: { path: 'a/big.bin', algo: 'sha256', oid, size: 5000 } }],
  });
  const sizeAt = async (revisionAndPath: string) =>
    jsonOf(await at.ask(`/api/models/ada/m/treesize/${revisionAndPath}`));
  expect(await sizeAt('main/a')).toEqual({ path: 'a', size: 5008 });
  expect(await sizeAt('main/a/b')).toEqual({ path: 'a/b', size: 5 });
  expect(await sizeAt('main/a/big.bin')).toEqual({ path: 'a/big.bin', size: 5000 });
  const attributes = await at.ask('/ada/m/resolve/main/.gitattributes', { method: 'HEAD' });
  expect(await sizeAt('main')).toEqual({ path: '', size: 5008 + Number(attributes.headers.get('content-length')) });
  expect((await at.ask('/api/models/ada/m/treesize/main/nothing')).headers.get('x-error-code')).toBe('EntryNotFound');
});
