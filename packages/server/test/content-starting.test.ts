import { duplicateRepo } from '@moonbase/client/content';
import { createBranch, createRepo, createTag, listRefs } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { contentHub, jsonOf, pathsOf } from './content-hub.ts';
import { hasGit, knownGitStore, stockGit } from './git-folder.ts';

async function starting(settings = {}) {
  const gitStore = knownGitStore();
  const at = await contentHub({ gitStore }, settings);
  const infoOf = async (repo: string): Promise<{ _id: string; sha: string; private: boolean; usedStorage: number }> =>
    jsonOf(await at.ask(`/api/models/${repo}`));
  const fsck = async (repo: string) => stockGit(gitStore, (await infoOf(repo))._id, 'fsck', '--full', '--strict');
  return { ...at, ada: at.hub.as('ada'), infoOf, fsck };
}

describe('creating a repository with files', () => {
  test('has them in a commit after its first one, and one event', async () => {
    await using at = await starting();
    const many = Array.from({ length: 60 }, (_, number) => ({ path: `d/${number}`, content: `${number}` }));
    const files = [{ path: 'README.md', content: '# Hi é' }, ...many];
    const bytes = { path: 'b', content: Buffer.from([0, 255]).toString('base64'), encoding: 'base64' } as const;
    const { id } = await createRepo({ ...at.ada, repo: 'ada/n', files: [...files, bytes] });
    const info = await at.infoOf('ada/n');
    expect(info._id).toBe(id);
    expect(await (await at.ask('/ada/n/resolve/main/README.md')).text()).toBe('# Hi é');
    expect(Buffer.from(await (await at.ask('/ada/n/resolve/main/b')).arrayBuffer())).toEqual(Buffer.from([0, 255]));
    expect(await jsonOf(await at.ask('/api/models/ada/n/tree/main/d'))).toHaveLength(60);
    const commits = await jsonOf<{ id: string; title: string }[]>(await at.ask('/api/models/ada/n/commits/main'));
    expect(commits.map(({ title }) => title)).toEqual(['Add files', 'initial commit']);
    const made = (await at.payloads()).filter(({ repo }) => repo.name === 'ada/n');
    expect(made.map(({ event, repo }) => [event.scope, event.action, repo.headSha])).toEqual([
      ['repo', 'create', info.sha],
    ]);
    await at.commit({ files: { more: '1' } }, { repo: 'models/ada/n' });
    if (hasGit) await expect.poll(() => at.fsck('ada/n')).toBe('');
  });

  test('gives a Space with an SDK a card, unless it comes with one', async () => {
    await using at = await starting();
    const space = { ...at.ada, type: 'space', sdk: 'gradio' } as const;
    await createRepo({ ...space, repo: 'ada/1.0' });
    await createRepo({ ...space, repo: 'ada/own', files: [{ path: 'README.md', content: '# Mine' }] });
    await createRepo({ ...at.ada, type: 'space', repo: 'ada/bare' });
    await at.hub.drain();
    const info = await jsonOf(await at.ask('/api/spaces/ada/1.0'));
    expect(info).toMatchObject({ sdk: 'gradio', cardData: { title: '1.0', sdk: 'gradio', pinned: false } });
    expect(await (await at.ask('/spaces/ada/own/resolve/main/README.md')).text()).toBe('# Mine');
    expect((await at.ask('/spaces/ada/bare/resolve/main/README.md')).status).toBe(404);
    const made = (await at.payloads()).filter(({ repo }) => repo.name === 'ada/1.0');
    expect(made.map(({ event }) => [event.scope, event.action])).toEqual([['repo', 'create']]);
  });

  test('that are invalid creates nothing', async () => {
    await using at = await starting();
    const ask = (repo: string, files: unknown, more = {}) =>
      at.ask('/api/repos/create', {
        method: 'POST',
        body: JSON.stringify({ name: repo, files, ...more }),
        headers: { 'content-type': 'application/json' },
      });
    const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).status;
    expect(await statusOf('ada/n', [{ path: '../x', content: '' }])).toBe(422);
    expect(await statusOf('ada/n', [{ path: 'x', content: '***', encoding: 'base64' }])).toBe(400);
    expect(
      await statusOf('ada/n', [
        { path: 'x', content: '' },
        { path: 'x/y', content: '' },
      ]),
    ).toBe(409);
    expect(await statusOf('ada/n', [{ path: 'x', content: 'x'.repeat(10 * 1024 * 1024 + 1) }])).toBe(413);
    expect(await statusOf('ada/n', [{ path: 'x', content: '' }], { type: 'bucket' })).toBe(400);
    expect(await statusOf('bob/n', [{ path: 'x', content: '' }])).toBe(403);
    expect(await statusOf('ada/m', [{ path: 'x', content: '' }])).toBe(409);
    expect((await at.ask('/api/models/ada/n')).status).toBe(404);
    expect(await at.payloads()).toHaveLength(1);
  });
});

describe('duplicating a repository', () => {
  test('copies branches, tags, commits and large files', async () => {
    await using at = await starting();
    const large = Buffer.from('weights'.repeat(100));
    const oid = await at.upload(large);
    await at.commit({ files: { 'a/b': '1' } });
    const lfs = { key: 'lfsFile', value: { path: 'w.bin', algo: 'sha256', oid, size: large.length } };
    const { commitOid } = await at.commit({ lines: [lfs] });
    const model = { ...at.ada, type: 'model', repo: 'ada/m' } as const;
    await createBranch({ ...model, branch: 'dev' });
    await createBranch({ ...model, branch: 'fresh', emptyBranch: true });
    await createTag({ ...model, tag: 'v1', revision: 'main', message: 'The first' });

    const bob = at.hub.as('bob');
    expect(await duplicateRepo({ ...bob, type: 'model', repo: 'ada/m', to: 'bob/copy' })).toEqual({
      url: `${at.hub.url}/bob/copy`,
    });
    const [theirs, ours] = [await listRefs(model), await listRefs({ ...bob, type: 'model', repo: 'bob/copy' })];
    expect(ours).toEqual(theirs);
    expect((await at.infoOf('bob/copy')).sha).toBe(commitOid);
    expect(await (await at.ask('/bob/copy/resolve/v1/w.bin')).text()).toBe(large.toString());
    expect((await at.infoOf('bob/copy')).usedStorage).toBe((await at.infoOf('ada/m')).usedStorage);
    const [made, ...further] = (await at.payloads()).filter(({ repo }) => repo.name === 'bob/copy');
    expect(made).toMatchObject({ event: { scope: 'repo', action: 'create' }, repo: { headSha: commitOid } });
    expect(further).toEqual([]);
    // Both repositories change independently.
    await at.commit({ files: { 'a/b': '2' } }, { repo: 'models/bob/copy', user: 'bob' });
    expect(await (await at.ask('/ada/m/resolve/main/a/b')).text()).toBe('1');
    if (hasGit) for (const repo of ['ada/m', 'bob/copy']) await expect.poll(() => at.fsck(repo)).toBe('');
  });

  test('without further commits works, and is as private as the original unless requested otherwise', async () => {
    await using at = await starting();
    await createRepo({ ...at.ada, repo: 'ada/p', private: true });
    const from = { ...at.ada, type: 'model', repo: 'ada/p' } as const;
    await duplicateRepo({ ...from, to: 'ada/q' });
    await duplicateRepo({ ...from, to: 'ada/r', visibility: 'public' });
    expect([(await at.infoOf('ada/q')).private, (await at.infoOf('ada/r')).private]).toEqual([true, false]);
    const { items } = { items: await jsonOf<{ path: string }[]>(await at.ask('/api/models/ada/q/tree/main')) };
    expect(pathsOf(items)).toEqual(['.gitattributes']);
    await at.commit({ files: { x: '' } }, { repo: 'models/ada/q' });
    expect((await at.infoOf('ada/q')).sha).not.toBe((await at.infoOf('ada/p')).sha);
  });

  test('requires the right to read the one and to create the other, and a free name', async () => {
    await using at = await starting();
    await createRepo({ ...at.ada, repo: 'ada/p', private: true });
    const bob = at.hub.as('bob');
    const copy = (repo: string, to: string) => duplicateRepo({ ...bob, type: 'model', repo, to });
    await expect(copy('ada/p', 'bob/p')).rejects.toMatchObject({ status: 404 });
    await expect(copy('ada/m', 'ada/copy')).rejects.toMatchObject({ status: 403 });
    await expect(copy('ada/m', 'nonsense')).rejects.toMatchObject({ status: 400 });
    await copy('ada/m', 'bob/m');
    await expect(copy('ada/m', 'bob/m')).rejects.toMatchObject({ status: 409, fields: { url: `${at.hub.url}/bob/m` } });
  });

  test('counts its large files for the new owner, up to the quota', async () => {
    await using at = await starting({ MOONBASE_QUOTA_USER_GIB: '1' });
    const sha256 = await at.upload(Buffer.alloc(800));
    // The row pretends that the file is larger.
    await at.hub.database.transaction((tx) =>
      tx
        .updateTable('repo_files')
        .set({ size: 800 * 1024 * 1024 })
        .where('sha256', '=', sha256)
        .execute(),
    );
    const to = { type: 'model', repo: 'ada/m' } as const;
    await duplicateRepo({ ...at.hub.as('bob'), ...to, to: 'bob/one' });
    await expect(duplicateRepo({ ...at.hub.as('bob'), ...to, to: 'bob/two' })).rejects.toMatchObject({ status: 413 });
    expect((await at.ask('/api/models/bob/two')).status).toBe(404);
  });
});

describe('files of a hub document', () => {
  test('are committed to main once, whatever else is there', async () => {
    await using at = await starting();
    const files = { 'README.md': '# Hi', 'a/b.txt': 'deep' };
    const document = {
      repos: [
        { name: 'ada/m', files },
        { name: 'ada/new', files: { x: '1' } },
      ],
    };
    await at.commit({ files: { other: 'stays', 'README.md': 'old' } });
    await at.hub.apply(document);
    expect(await (await at.ask('/ada/m/resolve/main/README.md')).text()).toBe('# Hi');
    expect(await (await at.ask('/ada/m/resolve/main/other')).text()).toBe('stays');
    expect(await (await at.ask('/ada/new/resolve/main/x')).text()).toBe('1');
    const [before, { sha }] = [await at.payloads(), await at.info()];
    await at.hub.apply(document);
    expect(await at.payloads()).toEqual(before);
    expect((await at.info()).sha).toBe(sha);
  });

  test('that are invalid change nothing, and each is named', async () => {
    await using at = await starting();
    const bad = { name: 'ada/new', files: { '../x': '', a: '', 'a/b': '', fine: '' } };
    await expect(at.hub.apply({ users: [{ name: 'newcomer' }], repos: [bad] })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'body.repos.0.files.../x' }, { path: 'body.repos.0.files.a' }],
    });
    const bucket = { type: 'bucket' as const, name: 'ada/box', files: { x: '' } };
    await expect(at.hub.apply({ repos: [bucket] })).rejects.toMatchObject({ status: 400 });
    expect((await at.ask('/api/models/ada/new')).status).toBe(404);
  });
});
