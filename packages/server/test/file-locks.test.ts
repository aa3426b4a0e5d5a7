import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCommit } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import {
  listLocks,
  listLocksOfType,
  lockFile,
  lockFileOfType,
  unlockFile,
  verifyLocks,
} from '@moonbase/client/large-files';
import { createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';
import { idOf, LFS } from './large-files-fixture.ts';

const REPO = 'acme/art';
const OF_MODEL = { type: 'model', repo: REPO } as const;

/** Starts a hub with the model `acme/art`: ada is an admin of acme, will and wanda write, rita reads. */
async function fixture() {
  const hub = await startHub();
  const roles = { ada: 'admin', will: 'write', wanda: 'write', rita: 'read' } as const;
  const members = Object.entries(roles).map(([user, role]) => ({ user, role }));
  await hub.apply({ users: Object.keys(roles).map(person), organizations: [{ name: 'acme', members }] });
  const [ada, will, wanda, rita] = [hub.as('ada'), hub.as('will'), hub.as('wanda'), hub.as('rita')];
  await createRepo({ ...ada, repo: REPO });
  return { hub, ada, will, wanda, rita, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const lock = async (who: Connection, path: string) => (await lockFile({ ...who, repo: REPO, path })).lock;
const paths = async (who: Connection) => (await collect(listLocks({ ...who, repo: REPO }))).map(({ path }) => path);

describe('a lock', () => {
  test('belongs to who made it, is seen by readers, and is undone by its owner', async () => {
    await using at = await fixture();
    const made = await lock(at.will, 'art/logo.psd');
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^[0-9a-f]{24}$/), path: 'art/logo.psd', owner: { name: 'will' } },
      locked_at: new Date(at.hub.clock.now()).toISOString(),
    });
    await lock(at.wanda, 'other.bin');
    expect(await collect(listLocks({ ...at.rita, repo: REPO, path: 'art/logo.psd' }))).toEqual([made]);
    expect(await collect(listLocks({ ...at.rita, repo: REPO, id: made.id }))).toEqual([made]);
    expect(await paths(at.rita)).toEqual(['art/logo.psd', 'other.bin']);
    const verified = await verifyLocks({ ...at.will, repo: REPO, ref: { name: 'refs/heads/main' } });
    expect([verified.ours, verified.theirs.map(({ owner }) => owner.name)]).toEqual([[made], ['wanda']]);
    expect(await unlockFile({ ...at.will, repo: REPO, lockId: made.id })).toEqual({ lock: made });
    expect(await paths(at.rita)).toEqual(['other.bin']);
    await expect(unlockFile({ ...at.will, repo: REPO, lockId: made.id })).rejects.toMatchObject({ status: 404 });
  });

  test('is undone by admins alone if it belongs to somebody else, and only by force', async () => {
    await using at = await fixture();
    const { id: lockId } = await lock(at.will, 'logo.psd');
    const unlock = (who: Connection, force?: boolean) => unlockFile({ ...who, repo: REPO, lockId, force });
    for (const who of [at.ada, at.wanda])
      await expect(unlock(who)).rejects.toMatchObject({
        status: 403,
        message: expect.stringMatching(/locked by will/),
      });
    await expect(unlock(at.wanda, true)).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(/admins/),
    });
    await expect(unlock(at.rita, true)).rejects.toMatchObject({ status: 403 });
    expect((await unlock(at.ada, true)).lock.path).toBe('logo.psd');
  });

  test('is made once: the second answer says who has it, in the form of git-lfs', async () => {
    await using at = await fixture();
    const made = await lock(at.will, 'logo.psd');
    const headers = { 'content-type': LFS, accept: LFS };
    for (const who of [at.wanda, at.will]) {
      const answer = await ask(who, `POST /${REPO}.git/info/lfs/locks`, { path: 'logo.psd' }, headers);
      expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
        ...[409, `${LFS}; charset=utf-8`, { message: 'logo.psd is locked by will already', lock: made }],
      ]);
    }
    const racing = await Promise.allSettled([lock(at.will, 'raced'), lock(at.wanda, 'raced'), lock(at.ada, 'raced')]);
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('needs the right to write, and reveals nothing of a hidden repository', async () => {
    await using at = await fixture();
    await createRepo({ ...at.ada, repo: 'acme/hidden', private: true });
    await expect(lock(at.rita, 'logo.psd')).rejects.toMatchObject({ status: 403 });
    await at.hub.people('zoe');
    const zoe = at.hub.as('zoe');
    await expect(lock(zoe, 'logo.psd')).rejects.toMatchObject({ status: 403 });
    await expect(lockFile({ ...zoe, repo: 'acme/hidden', path: 'x' })).rejects.toMatchObject({ status: 404 });
    await expect(collect(listLocks({ ...zoe, repo: 'acme/hidden' }))).rejects.toMatchObject({ status: 404 });
  });

  test.each(['', '/', 'a//b', '../x', 'a/../b', '.git/config', 'a\nb', 'x'.repeat(300), `${'x/'.repeat(520)}y`])(
    'cannot be of the path %j',
    async (path) => {
      await using at = await fixture();
      await expect(lock(at.will, path)).rejects.toMatchObject({ status: 422 });
      expect(await paths(at.will)).toEqual([]);
    },
  );

  test('is listed on pages, and there are not endlessly many', async () => {
    await using at = await fixture();
    const repoId = await idOf(at.hub, 'repositories', REPO);
    const ownerId = await idOf(at.hub, 'accounts', 'wanda');
    await insertLocks(at.hub, { repoId, ownerId, count: 999 });
    const first = await verifyLocks({ ...at.will, repo: REPO, limit: 10 });
    expect([first.theirs.length, first.next_cursor]).toEqual([10, expect.any(String)]);
    const second = await verifyLocks({ ...at.will, repo: REPO, limit: 10, cursor: first.next_cursor });
    expect(second.theirs[0]?.path).toBe('many/10');
    expect(await paths(at.will)).toHaveLength(999);
    await lock(at.will, 'one more');
    await expect(lock(at.will, 'too many')).rejects.toMatchObject({ status: 409 });
    await expect(verifyLocks({ ...at.will, repo: REPO, cursor: 'nonsense' })).rejects.toMatchObject({ status: 400 });
  });

  test('follows a repository that moves, and goes with the repository and its owner', async () => {
    await using at = await fixture();
    await createRepo({ ...at.ada, type: 'dataset', repo: 'acme/rows' });
    const rows = { type: 'dataset', repo: 'acme/rows' } as const;
    await lockFileOfType({ ...at.will, ...rows, path: 'rows.parquet' });
    await lockFileOfType({ ...at.wanda, ...rows, path: 'more.parquet' });
    await moveRepo({ ...at.ada, type: 'dataset', from: 'acme/rows', to: 'acme/columns' });
    const columns = { type: 'dataset', repo: 'acme/columns' } as const;
    const left = async () => (await collect(listLocksOfType({ ...at.ada, ...columns }))).map(({ path }) => path);
    expect(await left()).toEqual(['rows.parquet', 'more.parquet']);
    await at.hub.apply({ users: [{ name: 'wanda', state: 'absent' }] });
    await at.hub.drain();
    expect(await left()).toEqual(['rows.parquet']);
    await deleteRepo({ ...at.ada, type: 'dataset', repo: 'acme/columns' });
    expect(await at.hub.database.read.selectFrom('file_locks').selectAll().execute()).toEqual([]);
  });
});

async function insertLocks(
  { database }: TestHub,
  { repoId, ownerId, count }: { repoId: string; ownerId: string; count: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let number = 0; number < count; number++) {
      const id = number.toString(16).padStart(24, '0');
      const row = { id, repo_id: repoId, path: `many/${number}`, owner_id: ownerId, locked_at: 0 };
      await tx.insertInto('file_locks').values(row).execute();
    }
  });
}

interface Change {
  readonly files?: Readonly<Record<string, string>>;
  readonly deletedFolders?: readonly string[];
}

/** Commits by the API. */
function commit(
  who: Connection,
  { files = {}, deletedFolders = [] }: Change,
  options: { createPullRequest?: true } = {},
) {
  const operations = {
    summary: 'A change',
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    deletedFolders: deletedFolders.map((path) => ({ path })),
  };
  const blob = new Blob([JSON.stringify(operations)], { type: 'application/json' });
  return createCommit({ ...who, ...OF_MODEL, branch: 'main', ...options, operations: blob });
}

describe('a locked path', () => {
  test('is changed by nobody else through the API, in pull requests neither', async () => {
    await using at = await fixture();
    await commit(at.will, { files: { 'art/logo.psd': '1', 'art/other.psd': '1', 'b.txt': '1' } });
    await commit(at.wanda, { files: { 'art/logo.psd': 'proposed before' } }, { createPullRequest: true });
    await lock(at.will, 'art/logo.psd');
    const refusal = { status: 409, message: expect.stringMatching(/^art\/logo\.psd is locked by will/) };
    const changes: Change[] = [
      { files: { 'art/logo.psd': '2' } },
      { files: { 'b.txt': '2', 'art/logo.psd/below': '2' } },
      { deletedFolders: ['art/'] },
    ];
    for (const change of changes) {
      await expect(commit(at.wanda, change)).rejects.toMatchObject(refusal);
      await expect(commit(at.wanda, change, { createPullRequest: true })).rejects.toMatchObject(refusal);
    }
    await commit(at.wanda, { files: { 'b.txt': '2', 'art/other.psd': '2', 'art/logo.psd2': '2' } });
    // What was proposed before is for whoever merges to judge.
    await mergePullRequest({ ...at.ada, ...OF_MODEL, num: 1 });
    await commit(at.will, { files: { 'art/logo.psd': '2' } });
  });

  test('is changed by nobody else through a push, which names it', async () => {
    await using at = await fixture();
    await using client = await gitClient();
    const pushes = await pushing(at, client);
    await pushes.commit('will', { 'art/logo.psd': '1', 'art/other.psd': '1' });
    expect(await pushes.push('will')).toMatchObject({ code: 0 });
    await client.run('wanda', 'pull', '--quiet');
    await lock(at.will, 'art/logo.psd');
    await pushes.commit('wanda', { 'art/other.psd': '2' });
    expect(await pushes.push('wanda')).toMatchObject({ code: 0 });
    await pushes.commit('wanda', { 'art/logo.psd': '2' });
    await pushes.commit('wanda', { 'art/other.psd': '3' });
    for (const spec of ['HEAD:main', 'HEAD:refs/heads/new', 'HEAD:refs/tags/v1', 'HEAD~1:main']) {
      const { code, terminal } = await pushes.push('wanda', spec);
      expect([spec, code]).toEqual([spec, 1]);
      expect(terminal).toMatch(/^remote: The push changes files that others have locked:\s*$/m);
      expect(terminal).toMatch(/^remote: {3}art\/logo\.psd \(locked by will\)\s*$/m);
      expect(terminal).toMatch(/\(The push changes files that others have locked\)/);
    }
    await client.run('wanda', 'reset', '--quiet', '--hard', 'origin/main');
    await client.run('wanda', 'rm', '--quiet', '-r', 'art');
    await client.run('wanda', 'commit', '--quiet', '--message', 'No art');
    expect((await pushes.push('wanda')).terminal).toMatch(/art\/logo\.psd \(locked by will\)/);
    await client.run('wanda', 'reset', '--quiet', '--hard', 'origin/main');
    await client.run('wanda', 'mv', 'art/logo.psd', 'moved.psd');
    await client.run('wanda', 'commit', '--quiet', '--message', 'Moved');
    expect((await pushes.push('wanda')).terminal).toMatch(/art\/logo\.psd \(locked by will\)/);
  });

  test('is merged by others once its owner has changed it', async () => {
    await using at = await fixture();
    await using client = await gitClient();
    const pushes = await pushing(at, client);
    await pushes.commit('will', { 'logo.psd': '1' });
    expect(await pushes.push('will')).toMatchObject({ code: 0 });
    await client.run('wanda', 'pull', '--quiet');
    await lock(at.will, 'logo.psd');
    await client.run('wanda', 'switch', '--quiet', '--create', 'feature');
    await pushes.commit('wanda', { 'feature.txt': '1' });
    expect(await pushes.push('wanda', 'HEAD:feature')).toMatchObject({ code: 0 });
    await pushes.commit('will', { 'logo.psd': '2' });
    expect(await pushes.push('will')).toMatchObject({ code: 0 });
    await client.run('wanda', 'pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main');
    expect(await pushes.push('wanda', 'HEAD:feature')).toMatchObject({ code: 0 });
    expect(await pushes.push('wanda', 'HEAD:main')).toMatchObject({ code: 0 });
    // A merge that has a version of its own is a change.
    await pushes.commit('will', { 'logo.psd': '3' });
    await client.run('will', 'fetch', '--quiet');
    await client.run('will', 'merge', '--quiet', '--no-edit', 'origin/main');
    expect(await pushes.push('will')).toMatchObject({ code: 0 });
    await pushes.commit('wanda', { 'side.txt': '1' });
    await client.run('wanda', 'fetch', '--quiet');
    await client.run('wanda', 'merge', '--quiet', '--no-commit', '--no-ff', 'origin/main');
    await pushes.commit('wanda', { 'logo.psd': 'mine' });
    expect((await pushes.push('wanda', 'HEAD:main')).terminal).toMatch(/logo\.psd \(locked by will\)/);
  });

  test('may be a folder, and a path with magic of git', async () => {
    await using at = await fixture();
    await using client = await gitClient();
    const pushes = await pushing(at, client);
    await lock(at.will, 'art');
    await lock(at.will, 'glob[a-z]*');
    await pushes.commit('wanda', { 'globa.txt': '1', 'arts.txt': '1' });
    expect(await pushes.push('wanda')).toMatchObject({ code: 0 });
    await pushes.commit('wanda', { 'art/deep/ünïcode "quoted".psd': '1' });
    expect((await pushes.push('wanda')).terminal).toMatch(/art\/deep\/ünïcode "quoted"\.psd \(locked by will\)/);
    await client.run('wanda', 'reset', '--quiet', '--hard', 'origin/main');
    await pushes.commit('wanda', { 'glob[a-z]*': '1' });
    expect((await pushes.push('wanda')).terminal).toMatch(/glob\[a-z\]\* \(locked by will\)/);
  });
});

/** Gives will and wanda a clone each. */
async function pushing({ hub }: { hub: TestHub }, client: Awaited<ReturnType<typeof gitClient>>) {
  for (const user of ['will', 'wanda']) await client.run('.', 'clone', '--quiet', remoteOf(hub.as(user), REPO), user);
  return {
    async commit(user: string, files: Readonly<Record<string, string>>) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(client.folder, user, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
      await client.run(user, 'add', '--all');
      await client.run(user, 'commit', '--quiet', '--message', `By ${user}`);
    },
    push: (user: string, spec = 'HEAD:main') => client.attempt(user, 'push', 'origin', spec),
  };
}
