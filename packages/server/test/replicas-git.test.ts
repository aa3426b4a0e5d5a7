import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCommits } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import { createBranch, createRepo, deleteRepo, listRefs } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { createRepositoryObjects } from '../src/content/objects.ts';
import { createGitStore, type GitStore } from '../src/platform/git/git-store.ts';
import { startS3Server } from './blobs/s3-server.ts';
import { createTestClock, DAY } from './clock.ts';
import { ask, commitTo, packsIn, type Replica, startReplica } from './git-bucket-fixture.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { stockGit } from './git-folder.ts';
import { type Connection, startHub, type TestHub } from './harness.ts';
import { createTestDatabase, engine } from './test-database.ts';

const MODEL = { type: 'model', repo: 'alice/letters' } as const;

const textAt = async ({ url }: TestHub, path: string): Promise<string | number> => {
  const answer = await ask(url, 'alice', `/${MODEL.repo}/resolve/${path}`);
  return answer.status === 200 ? answer.text() : answer.status;
};

const repoIdOf = async ({ url }: TestHub): Promise<string> => {
  const { _id }: { _id: string } = JSON.parse(await (await ask(url, 'alice', `/api/models/${MODEL.repo}`)).text());
  return _id;
};

/** Expects concurrent commits, merges and branches at two processes to make one line of history. */
async function expectOneHistory(connections: readonly [Connection, Connection]): Promise<void> {
  const [one] = connections;
  const each = 6;
  const acknowledged: string[] = [];
  await Promise.all(
    connections.flatMap((connection, at) => [
      ...[0, 1].map(async (writer) => {
        for (let number = 0; number < each; number++) {
          const path = `${at}-${writer}-${number}.txt`;
          await commitTo(connection, MODEL.repo, { [path]: path });
          acknowledged.push(path);
        }
      }),
      (async () => {
        const path = `${at}-merged.txt`;
        const { pullRequestUrl = '' } = await commitTo(
          ...([connection, MODEL.repo, { [path]: path }, { createPullRequest: true }] as const),
        );
        const other = connections[1 - at] ?? one;
        await mergePullRequest({ ...other, ...MODEL, num: Number(pullRequestUrl.split('/').at(-1)) });
        acknowledged.push(path);
      })(),
    ]),
  );
  for (const connection of connections) {
    const commits = await listCommits({ ...connection, ...MODEL, revision: 'main', limit: 100 });
    const titles = new Set(commits.map(({ title }) => title));
    expect(acknowledged.filter((path) => !path.includes('merged') && !titles.has(path))).toEqual([]);
    const { hubUrl } = connection;
    for (const path of acknowledged)
      expect(await (await ask(hubUrl, 'alice', `/${MODEL.repo}/resolve/main/${path}`)).text()).toBe(path);
  }
}

describe.runIf(engine === 'postgres')('two processes with a bucket and disks of their own', () => {
  async function fixture() {
    const server = await startS3Server();
    const database = await createTestDatabase();
    const clock = createTestClock();
    const a = await startReplica(server, { database, clock });
    const b = await startReplica(server, { database, clock });
    await a.hub.people('alice');
    await createRepo({ ...a.hub.as('alice'), repo: MODEL.repo });
    const client = await gitClient();
    const push = async (to: Replica, path: string) => {
      await client.run('clone', 'remote', 'set-url', 'origin', remoteOf(to.hub.as('alice'), MODEL.repo));
      await client.run('clone', 'pull', '--quiet', 'origin', 'main');
      await writeFile(join(client.folder, 'clone', path), path);
      await client.run('clone', 'add', '--all');
      await client.run('clone', 'commit', '--quiet', '--message', path);
      await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
    };
    return {
      ...{ server, clock, a, b, client, push },
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]();
        await a[Symbol.asyncDispose]();
        await b[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  test('each sees at once what the other one has committed or received, also after the loss of a disk', async () => {
    await using at = await fixture();
    const { a, b, client } = at;
    await commitTo(a.hub.as('alice'), MODEL.repo, { 'a.txt': 'a' });
    expect(await textAt(b.hub, 'main/a.txt')).toBe('a');
    await client.run('.', 'clone', '--quiet', remoteOf(b.hub.as('alice'), MODEL.repo), 'clone');
    await at.push(b, 'b.txt');
    expect(await textAt(a.hub, 'main/b.txt')).toBe('b.txt');
    await a.wipe();
    await at.push(a, 'c.txt');
    await b.wipe();
    await commitTo(b.hub.as('alice'), MODEL.repo, { 'd.txt': 'd' });
    await createBranch({ ...a.hub.as('alice'), ...MODEL, branch: 'side' });
    for (const replica of [a, b]) {
      await replica.wipe();
      expect(await textAt(replica.hub, 'side/d.txt')).toBe('d');
      await client.run('.', 'clone', '--quiet', remoteOf(replica.hub.as('alice'), MODEL.repo), 'again');
      expect(await client.run('again', 'fsck', '--full', '--strict')).toBe('');
      expect((await client.run('again', 'ls-tree', '--name-only', 'HEAD')).split('\n')).toEqual([
        ...['.gitattributes', 'a.txt', 'b.txt', 'c.txt', 'd.txt'],
      ]);
      await rm(join(client.folder, 'again'), { recursive: true });
    }
  });

  test('clients of every version of the protocol find the refs that another process moved', async () => {
    await using at = await fixture();
    const { a, b, client } = at;
    for (const version of ['0', '1', '2']) {
      const git = ['-c', `protocol.version=${version}`];
      const { commitOid } = await commitTo(a.hub.as('alice'), MODEL.repo, { 'a.txt': version });
      const listed = await client.run('.', ...git, 'ls-remote', remoteOf(b.hub.as('alice'), MODEL.repo), 'main');
      expect(listed).toBe(`${commitOid}\trefs/heads/main`);
      await client.run('.', ...git, 'clone', '--quiet', remoteOf(b.hub.as('alice'), MODEL.repo), `clone-${version}`);
      expect(await client.run(`clone-${version}`, 'rev-parse', 'HEAD')).toBe(commitOid);
    }
  });

  test('commits and merges at both at once make one line of history', async () => {
    await using at = await fixture();
    await expectOneHistory([at.a.hub.as('alice'), at.b.hub.as('alice')]);
    for (const replica of [at.a, at.b]) {
      await replica.wipe();
      expect(await textAt(replica.hub, 'main/0-1-5.txt')).toBe('0-1-5.txt');
    }
  });

  test('one writes small packs into one while the other reads, and needs none of them again', async () => {
    await using at = await fixture();
    const { a, b, server } = at;
    for (let number = 0; number < 32; number++) {
      await commitTo(a.hub.as('alice'), MODEL.repo, { [`${number}.txt`]: `${number}` });
      expect(await textAt(b.hub, `main/${number}.txt`)).toBe(`${number}`);
    }
    // Both would write the same pack.
    await Promise.all([a.maintain(), b.maintain()]);
    const rows = await a.hub.database.read.selectFrom('repo_packs').select(['name', 'state']).execute();
    const [merged, ...others] = rows.filter(({ state }) => state === 'stored');
    expect(others).toEqual([]);
    const before = server.requests.length;
    await commitTo(a.hub.as('alice'), MODEL.repo, { 'last.txt': 'last' });
    expect(await textAt(b.hub, 'main/last.txt')).toBe('last');
    const fetched = () => server.requests.slice(before).filter((request) => request.startsWith('GET git/'));
    // The new pack at once, and the merged one behind it unless this process has made it.
    expect(fetched().length).toBeGreaterThanOrEqual(1);
    expect(fetched().filter((request) => !request.includes(merged?.name ?? ''))).toHaveLength(1);
    at.clock.advance(2 * DAY);
    server.control.agedMs = 2 * DAY;
    await a.maintain();
    // What the slower one has written is gone, too.
    expect(packsIn(server)).toHaveLength(2);
    for (const replica of [a, b]) {
      expect(await textAt(replica.hub, 'main/7.txt')).toBe('7');
      await replica.wipe();
      expect(await textAt(replica.hub, 'main/7.txt')).toBe('7');
    }
  });

  test('a repository that one deletes is gone at the other', async () => {
    await using at = await fixture();
    const { a, b, server } = at;
    await commitTo(a.hub.as('alice'), MODEL.repo, { 'a.txt': 'a' });
    expect(await textAt(b.hub, 'main/a.txt')).toBe('a');
    await deleteRepo({ ...a.hub.as('alice'), repo: MODEL.repo });
    expect(await textAt(b.hub, 'main/a.txt')).toBe(404);
    at.clock.advance(DAY + 1);
    await b.maintain();
    expect(packsIn(server)).toEqual([]);
  });
});

describe('processes that share a folder', () => {
  const refsIn = (store: GitStore, id: string) => readFile(join(store.folderOf(id), 'packed-refs'), 'utf8');

  test('a slow one does not leave old refs behind for stock git', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'moonbase-shared-'));
    const store = createGitStore(folder, { durable: false });
    await using hub = await startHub({}, { gitStore: store });
    await hub.people('alice');
    const alice = hub.as('alice');
    await createRepo({ ...alice, repo: MODEL.repo });
    const first = await commitTo(alice, MODEL.repo, { 'a.txt': '1' });
    const id = await repoIdOf(hub);
    await expect.poll(() => refsIn(store, id).catch(() => '')).toContain(first.commitOid);
    await createBranch({ ...alice, ...MODEL, branch: 'side' });
    await expect.poll(() => refsIn(store, id)).toContain('refs/heads/side');

    // The other process has read the refs when the hub moves them, and writes later.
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let isSlow = true;
    const slow = createRepositoryObjects({
      database: hub.database,
      store: {
        ...store,
        async writeRefs(repoId, refs) {
          if (isSlow) await waits;
          isSlow = false;
          return store.writeRefs(repoId, refs);
        },
      },
      onRefsFailed: (error) => expect.unreachable(String(error)),
    });
    const preparing = slow.prepareForGit(id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await commitTo(alice, MODEL.repo, { 'a.txt': '2' });
    await expect.poll(() => refsIn(store, id)).toContain(second.commitOid);
    goOn();
    (await preparing)[Symbol.dispose]();
    await expect.poll(() => refsIn(store, id)).toContain(second.commitOid);
    await slow.settle();
    expect(await refsIn(store, id)).toContain(second.commitOid);
  });

  test.runIf(engine === 'postgres')('commits and merges at both at once make one line of history', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'moonbase-shared-'));
    await using database = await createTestDatabase();
    const store = createGitStore(folder, { durable: false });
    await using a = await startHub(database.environment, { gitStore: store });
    await using b = await startHub(database.environment, { gitStore: createGitStore(folder, { durable: false }) });
    await a.people('alice');
    const [atA, atB] = [a.as('alice'), b.as('alice')];
    await createRepo({ ...atA, repo: MODEL.repo });
    await expectOneHistory([atA, atB]);
    const id = await repoIdOf(a);
    await commitTo(atB, MODEL.repo, { 'last.txt': 'last' });
    expect(await textAt(a, 'main/last.txt')).toBe('last');
    const { branches, pullRequests = [] } = await listRefs({ ...atA, ...MODEL, includePullRequests: true });
    const wanted = [...branches, ...pullRequests].map(({ ref, targetCommit }) => `${targetCommit} ${ref}`).toSorted();
    await expect
      .poll(() => stockGit(store, id, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n').toSorted())
      .toEqual(wanted);
    expect(stockGit(store, id, 'fsck', '--full', '--strict', '--no-dangling')).not.toMatch(/missing|broken|error/);
  });
});
