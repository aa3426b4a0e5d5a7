import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { squashBranch } from '@moonbase/client/content';
import { createBranch, createRepo, deleteBranch } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { requestMaintenance } from '../src/content/git-upkeep/upkeep-store.ts';
import { encodeCommit } from '../src/platform/git/objects/commit.ts';
import { createTestClock, DAY, HOUR, MINUTE } from './clock.ts';
import { contentHub, jsonOf, pathsOf } from './content-hub.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { hasGit, knownGitStore, stockGit } from './git-folder.ts';
import { upkeepOf, upkeepRowOf } from './git-upkeep-fixture.ts';

const MAX_FAILURES = 5;
/** How often upkeep runs at least, even if the machine is so slow that the writers end before that. */
const MIN_RUNS = 4;

/** Starts a hub with the model `ada/m`, whose clock begins now, as the times of files do. */
async function fixture() {
  const store = knownGitStore();
  const at = await contentHub({ gitStore: store, clock: createTestClock(Date.now()) });
  const { hub } = at;
  await at.commit({ files: { 'first.txt': 'first' } });
  const idOf = async (repo = 'ada/m') => (await jsonOf<{ _id: string }>(await at.ask(`/api/models/${repo}`)))._id;
  const id = await idOf();
  const git = (...args: string[]) => stockGit(store, id, ...args);
  const head = await at.info();
  await expect.poll(() => git('for-each-ref')).toContain(head.sha);
  const isThere = (object: string): boolean => {
    try {
      git('cat-file', '-e', object);
      return true;
    } catch {
      return false;
    }
  };
  const filesIn = (folder: string): Promise<string[]> => readdir(join(store.folderOf(id), folder)).catch(() => []);
  return {
    ...at,
    ...{ store, id, idOf, git, isThere, filesIn },
    ada: { ...hub.as('ada'), type: 'model' as const, repo: 'ada/m' },
    upkeep: upkeepOf(hub, store),
    row: () => upkeepRowOf(hub, id),
    /** Asks for maintenance, as an administrator does. */
    request: (repoId = id) => hub.database.transaction((tx) => requestMaintenance(tx, repoId, hub.clock.now())),
    fsck: () => git('fsck', '--full', '--strict', '--no-dangling'),
    /** Notes the changes that the hub has counted. */
    noted: () => hub.drain(),
    [Symbol.asyncDispose]: at[Symbol.asyncDispose],
  };
}

type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Commits so many files that a repository is packed. */
async function commitMany({ commit }: Pick<Fixture, 'commit'>, repo = 'models/ada/m'): Promise<void> {
  for (let number = 0; number < 14; number++) {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, file) => [`${file}`, `${number} ${file}`]));
    await commit({ files }, { repo });
  }
}

describe.skipIf(!hasGit)('the upkeep of git folders with stock git', () => {
  test('packs many loose objects, with an index of packs, a bitmap and a graph of commits', async () => {
    await using at = await fixture();
    await commitMany(at);
    await at.upkeep.finish();
    expect(await at.store.count(at.id)).toMatchObject({ looseObjects: 0, packs: 1 });
    const packs = await at.filesIn('objects/pack');
    expect(packs).toContain('multi-pack-index');
    expect(packs.filter((name) => /^multi-pack-index-[0-9a-f]{40}\.bitmap$/.test(name))).toHaveLength(1);
    expect(await at.filesIn('objects/info/commit-graphs')).toContain('commit-graph-chain');
    expect(at.git('commit-graph', 'verify')).toBe('');
    expect(at.fsck()).toBe('');
    expect(await (await at.ask('/ada/m/resolve/main/39')).text()).toBe('13 39');
    const { maintained_at, settled_packs, packed_bytes, due_at } = await at.row();
    expect({ maintained_at, settled_packs, due_at }).toEqual({
      ...{ maintained_at: at.hub.clock.now(), settled_packs: 1 },
      due_at: at.hub.clock.now() + 7 * DAY,
    });
    expect(packed_bytes).toBeGreaterThan(1000);
  });

  test('combines the packs of pushes once there are ten more than after the last time', async () => {
    await using at = await fixture();
    await using client = await gitClient();
    await client.run('.', 'clone', '--quiet', remoteOf(at.hub.as('ada'), 'ada/m'), 'clone');
    const push = async (name: string) => {
      await writeFile(join(client.folder, 'clone', name), name);
      await client.run('clone', 'add', '--all');
      await client.run('clone', 'commit', '--quiet', '--message', name);
      await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
    };
    for (let number = 0; number < 9; number++) await push(`a-${number}`);
    await at.upkeep.finish();
    expect(await at.store.count(at.id)).toMatchObject({ packs: 9 });
    await push('a-9');
    await at.noted();
    at.hub.clock.advance(5 * MINUTE);
    await at.upkeep.finish();
    expect(await at.store.count(at.id)).toMatchObject({ looseObjects: 0, packs: 1 });
    for (let number = 0; number < 9; number++) await push(`b-${number}`);
    await at.noted();
    at.hub.clock.advance(5 * MINUTE);
    await at.upkeep.finish();
    expect(await at.store.count(at.id)).toMatchObject({ packs: 10 });
    expect(at.fsck()).toBe('');
    await client.run('.', 'clone', '--quiet', remoteOf(at.hub.as('ada'), 'ada/m'), 'again');
    expect(await readdir(join(client.folder, 'again'))).toHaveLength(22);
  });

  test('looks at a repository five minutes after a change, and at once after ten', async () => {
    await using at = await fixture();
    await at.upkeep.finish();
    // The row is new, and so are the changes before it.
    await at.noted();
    at.hub.clock.advance(5 * MINUTE);
    await at.upkeep.finish();
    const due = async () => ((await at.row()).due_at ?? 0) - at.hub.clock.now();
    await at.commit({ files: { a: '1' } });
    await at.noted();
    expect(await due()).toBe(5 * MINUTE);
    for (let number = 0; number < 8; number++) await at.commit({ files: { a: `more ${number}` } });
    await at.noted();
    expect(await due()).toBe(5 * MINUTE);
    await at.commit({ files: { a: 'the tenth' } });
    await at.noted();
    expect(await due()).toBe(0);
    await at.upkeep.finish();
    expect(await at.row()).toMatchObject({ changes: 0, failures: 0 });
    expect((await at.row()).loose_objects).toBeGreaterThan(20);
  });

  test('goes on while others push, commit and read, and none of them notices', async () => {
    await using at = await fixture();
    await using client = await gitClient();
    const remote = remoteOf(at.hub.as('ada'), 'ada/m');
    let writers = 0;
    let runs = 0;
    const write = async (work: () => Promise<void>) => {
      writers += 1;
      await work().finally(() => {
        writers -= 1;
      });
    };
    const commits = (name: string) =>
      write(async () => {
        for (let number = 0; number < 12; number++) {
          const files = Object.fromEntries(
            Array.from({ length: 20 }, (_, file) => [`${name}/${number}-${file}`, name]),
          );
          expect(await at.commit({ files })).toMatchObject({ status: 200 });
          const body = await at.ask(`/ada/m/resolve/main/${name}/${number}-7`);
          expect([body.status, await body.text()]).toEqual([200, name]);
          expect(await at.tree(`main/${name}`)).toHaveLength(Math.min(1000, (number + 1) * 20));
        }
      });
    const pushes = (name: string) =>
      write(async () => {
        await client.run('.', 'clone', '--quiet', remote, name);
        for (let number = 0; number < 6; number++) {
          await writeFile(join(client.folder, name, `${name}-${number}`), name);
          await client.run(name, 'add', '--all');
          await client.run(name, 'commit', '--quiet', '--message', `${name} ${number}`);
          await client.run(name, 'push', '--quiet', 'origin', `HEAD:refs/heads/${name}`);
        }
      });
    const clones = (name: string) =>
      write(async () => {
        for (let number = 0; number < 6; number++) {
          await client.run('.', 'clone', '--quiet', '--bare', remote, `${name}-${number}`);
          expect(await client.run(`${name}-${number}`, 'fsck', '--full')).toBe('');
        }
      });
    const working = Promise.all([commits('a'), commits('b'), pushes('c'), pushes('d'), clones('e')]);
    const failures: unknown[] = [];
    const upkeep = upkeepOf(at.hub, at.store, {
      onRun: ({ outcome }) => void (outcome === 'failed' && failures.push(1)),
    });
    while (writers > 0 || runs < MIN_RUNS) {
      await at.request();
      // Every other time, there is no rest after the last attempt, so that unreachable objects are set apart, too.
      if (runs++ % 2 === 1)
        await at.hub.database.transaction((tx) =>
          tx.updateTable('git_upkeep').set({ maintained_at: null, tried_at: null }).execute(),
        );
      await upkeep.round();
    }
    await working;
    expect(failures.length).toBeLessThan(runs);
    at.hub.clock.advance(2 * HOUR);
    await at.request();
    await at.upkeep.finish();
    expect(await at.row()).toMatchObject({ failures: 0, fault: null });
    expect(at.fsck()).toBe('');
    await client.run('.', 'clone', '--quiet', remote, 'result');
    const files = (await client.run('result', 'ls-tree', '-r', '--name-only', 'HEAD')).split('\n');
    expect(files.toSorted()).toEqual(
      pathsOf(await at.tree('main?recursive=1'))
        .filter((path) => files.includes(path))
        .toSorted(),
    );
    expect(files).toHaveLength(2 + 2 * 12 * 20);
  });

  test('is done on request for a site administrator, and the figures show it', async () => {
    await using at = await fixture();
    const storage = (user = 'ada') => at.ask('/api/models/ada/m/storage', {}, user);
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(at.hub.url + path, { method: 'POST', headers });
    const admin = { authorization: `Bearer ${at.hub.admin.accessToken}` };
    const before = await jsonOf<object>(await storage());
    expect(before).toEqual({
      usedStorage: 0,
      largeFiles: { files: 0, bytes: 0 },
      git: { looseObjects: 0, packs: 0, packedBytes: 0 },
      maintenance: { failures: 0 },
    });
    expect((await storage('bob')).status).toBe(403);
    expect((await at.ask('/api/models/ada/m/maintenance', { method: 'POST' })).status).toBe(403);
    expect((await ask('/api/models/ada/m/maintenance', admin)).status).toBe(202);
    await at.upload(Buffer.alloc(5000, 'x'));
    await at.upkeep.finish();
    const after = await jsonOf<{ git: { packedBytes: number }; usedStorage: number }>(await storage());
    expect(after).toMatchObject({
      largeFiles: { files: 1, bytes: 5000 },
      git: { looseObjects: 0, packs: 1 },
      maintenance: { lastAt: new Date(at.hub.clock.now()).toISOString(), failures: 0 },
    });
    expect(after.git.packedBytes).toBeGreaterThan(500);
    expect(after.usedStorage).toBe(5000 + after.git.packedBytes);
    expect((await at.info()).usedStorage).toBe(after.usedStorage);
    expect((await ask(`/api/admin/repositories/${at.id}/maintenance`, admin)).status).toBe(202);
    expect((await at.row()).requested_at).toBe(at.hub.clock.now());
    expect((await ask(`/api/admin/repositories/${'f'.repeat(24)}/maintenance`, admin)).status).toBe(404);
  });

  test('without stock git, the hub packs loose objects by itself', async () => {
    await using at = await fixture();
    await commitMany(at);
    await upkeepOf(at.hub, at.store, { hasGit: async () => false }).finish();
    expect(await at.store.count(at.id)).toMatchObject({ looseObjects: 0, packs: 1 });
    expect(await at.filesIn('objects/pack')).not.toContain('multi-pack-index');
    expect(await at.row()).toMatchObject({ due_at: null, settled_packs: 1 });
  });
});

/** Makes a branch with a commit of its own and deletes it; returns the commit. */
async function losesBranch(at: Fixture, content = 'lost'): Promise<string> {
  await createBranch({ ...at.ada, branch: 'side' });
  const { commitOid } = await at.commit({ files: { 'lost.txt': content } }, { branch: 'side' });
  await deleteBranch({ ...at.ada, branch: 'side' });
  await at.noted();
  return commitOid;
}

/** Deletes a branch and lets a look set its commit apart, a week later. */
async function setsApart(at: Fixture, content?: string): Promise<string> {
  const lost = await losesBranch(at, content);
  at.hub.clock.advance(8 * DAY);
  await at.upkeep.finish();
  expect(await at.store.setApart(at.id)).toMatchObject({ objects: 3 });
  return lost;
}

describe.skipIf(!hasGit)('objects to which no ref leads', () => {
  test('are deleted two weeks after a look has found them, and not before', async () => {
    await using at = await fixture();
    const kept = await at.commit({ files: { 'kept.txt': 'kept' } });
    const lost = await losesBranch(at);
    at.hub.clock.advance(6 * DAY);
    await at.upkeep.finish();
    expect(await at.store.setApart(at.id)).toMatchObject({ objects: 0 });
    at.hub.clock.advance(2 * DAY);
    await at.upkeep.finish();
    expect(await at.store.setApart(at.id)).toMatchObject({ objects: 3 });
    at.hub.clock.advance(13 * DAY);
    await at.upkeep.finish();
    expect(at.isThere(lost)).toBe(true);
    at.hub.clock.advance(8 * DAY);
    await at.upkeep.finish();
    expect([at.isThere(lost), at.isThere(kept.commitOid)]).toEqual([false, true]);
    expect(await at.store.setApart(at.id)).toEqual({ objects: 0, oldestAt: Number.POSITIVE_INFINITY });
    expect(at.fsck()).toBe('');
    expect(at.git('commit-graph', 'verify')).toBe('');
    at.hub.clock.advance(8 * DAY);
    await at.upkeep.finish();
    expect(await at.row()).toMatchObject({ due_at: null, prune_at: null });
  });

  test('stay for two weeks however old their files are', async () => {
    await using at = await fixture();
    const lost = await losesBranch(at);
    const years = (at.hub.clock.now() - 700 * DAY) / 1000;
    for (const folder of await at.filesIn('objects'))
      for (const name of /^[0-9a-f]{2}$/.test(folder) ? await at.filesIn(`objects/${folder}`) : [])
        await utimes(join(at.store.folderOf(at.id), 'objects', folder, name), years, years);
    at.hub.clock.advance(8 * DAY);
    await at.upkeep.finish();
    expect(await at.store.setApart(at.id)).toEqual({
      objects: 3,
      oldestAt: Math.floor(at.hub.clock.now() / 1000) * 1000,
    });
    at.hub.clock.advance(13 * DAY);
    await at.upkeep.finish();
    expect(at.isThere(lost)).toBe(true);
  });

  test('stay if a commit that has not been announced yet leads to them', async () => {
    await using at = await fixture();
    const lost = await setsApart(at);
    const { tree } = await at.store.open(at.id).readCommit(lost);
    const writer = at.store.open(at.id).writer();
    const person = { name: 'Ada', email: 'ada@example.com', time: at.hub.clock.now() };
    const body = encodeCommit({ tree, parents: [lost], author: person, committer: person, message: 'in progress' });
    const young = await writer.add({ type: 'commit', body });
    at.hub.clock.advance(22 * DAY);
    await writer.finish();
    const path = join(at.store.folderOf(at.id), 'objects', young.slice(0, 2), young.slice(2));
    await utimes(path, at.hub.clock.now() / 1000, at.hub.clock.now() / 1000);
    await at.upkeep.finish();
    expect(at.git('rev-list', '--objects', young).split('\n').length).toBeGreaterThan(5);
    expect(await at.store.setApart(at.id)).toMatchObject({ objects: 4 });
  });

  test('can be committed again while they are set apart, and then stay', async () => {
    await using at = await fixture();
    const lost = await setsApart(at, 'the same content');
    const { commitOid } = await at.commit({ files: { 'lost.txt': 'the same content' } });
    await at.noted();
    at.hub.clock.advance(22 * DAY);
    await at.upkeep.finish();
    at.hub.clock.advance(22 * DAY);
    await at.upkeep.finish();
    expect([at.isThere(lost), at.isThere(commitOid)]).toEqual([false, true]);
    expect(at.fsck()).toBe('');
    expect(await (await at.ask('/ada/m/resolve/main/lost.txt')).text()).toBe('the same content');
  });

  test('are not deleted within an hour after packing, in which a commit in progress may need them', async () => {
    await using at = await fixture();
    const lost = await setsApart(at);
    at.hub.clock.advance(22 * DAY);
    const { maintained_at } = await at.row();
    await at.hub.database.transaction((tx) =>
      tx
        .updateTable('git_upkeep')
        .set({ tried_at: at.hub.clock.now() - HOUR + 1 })
        .execute(),
    );
    await at.upkeep.finish();
    expect(at.isThere(lost)).toBe(true);
    expect(await at.row()).toMatchObject({ maintained_at, due_at: at.hub.clock.now() + 5 * MINUTE });
    at.hub.clock.advance(5 * MINUTE);
    await at.upkeep.finish();
    expect(at.isThere(lost)).toBe(false);
  });

  test('are kept as long as the refs on the disk cannot be written', async () => {
    await using at = await fixture();
    const lost = await setsApart(at);
    at.hub.clock.advance(22 * DAY);
    const prepareForUpkeep = async () => {
      throw new Error('The disk is broken');
    };
    await upkeepOf(at.hub, at.store, { objects: { prepareForUpkeep } }).finish();
    expect(at.isThere(lost)).toBe(true);
    expect(await at.row()).toMatchObject({ failures: 1, fault: 'Error: The disk is broken' });
  });

  test('are none because the first commit was squashed away, which the database still has', async () => {
    await using at = await fixture();
    const [root = ''] = at.git('rev-list', '--max-parents=0', 'main').split('\n');
    await squashBranch({ ...at.ada, branch: 'main', message: 'All of it' });
    await at.noted();
    const packed: number[] = [];
    const upkeep = upkeepOf(at.hub, at.store, { onRun: () => void packed.push(at.hub.clock.now()) });
    for (let week = 0; week < 7; week++) {
      at.hub.clock.advance(8 * DAY);
      await upkeep.finish();
    }
    // The two commits before were set apart, and two weeks later they were deleted; the first one was written again.
    expect(packed).toHaveLength(2);
    expect(await at.row()).toMatchObject({ due_at: null, prune_at: null, failures: 0 });
    expect(at.isThere(root)).toBe(true);
    expect(at.fsck()).toBe('');
  });

  test('become young when a commit uses them again', async () => {
    await using at = await fixture();
    const blob = at.git('rev-parse', 'main:first.txt');
    const path = join(at.store.folderOf(at.id), 'objects', blob.slice(0, 2), blob.slice(2));
    await utimes(path, 1_000_000_000, 1_000_000_000);
    const before = await readFile(path);
    await at.commit({ files: { 'second.txt': 'first' } });
    expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - 10 * MINUTE);
    expect(await readFile(path)).toEqual(before);
  });
});

describe.skipIf(!hasGit)('a repository that cannot be maintained', () => {
  test('is set aside after five failures, logged once, and others are maintained', async () => {
    await using at = await fixture();
    await createRepo({ ...at.hub.as('ada'), repo: 'ada/sound' });
    await commitMany(at, 'models/ada/sound');
    const sound = await at.idOf('ada/sound');
    const tree = at.git('rev-parse', 'main^{tree}');
    await rm(join(at.store.folderOf(at.id), 'objects', tree.slice(0, 2), tree.slice(2)));
    const lines: { repoId: string; msg: string }[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const runs: string[] = [];
    const upkeep = upkeepOf(at.hub, at.store, { logger, onRun: ({ outcome }) => void runs.push(outcome) });
    await upkeep.finish();
    await at.request();
    for (let failures = 1; failures < MAX_FAILURES; failures++) {
      await upkeep.finish();
      expect(await at.row()).toMatchObject({ failures, due_at: at.hub.clock.now() + HOUR });
      expect((await at.row()).fault).toMatch(/^Error: git rev-list ended with 128: .*[0-9a-f]{40}/);
      at.hub.clock.advance(HOUR);
    }
    expect(lines).toEqual([]);
    await upkeep.finish();
    expect(await at.row()).toMatchObject({ failures: MAX_FAILURES, due_at: null });
    expect(lines.map(({ repoId }) => repoId)).toEqual([at.id]);
    expect(runs).toEqual(['succeeded', ...Array.from({ length: MAX_FAILURES }, () => 'failed')]);
    expect(await at.store.count(sound)).toMatchObject({ looseObjects: 0, packs: 1 });
    await createBranch({ ...at.ada, branch: 'anew', startingPoint: 'main' });
    await at.noted();
    expect(await at.row()).toMatchObject({ failures: 0, due_at: at.hub.clock.now() + 5 * MINUTE });
  });

  test('is tried again later if the disk was full, however often', async () => {
    await using at = await fixture();
    await at.upkeep.finish();
    await at.request();
    const prepareForUpkeep = async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    const full = upkeepOf(at.hub, at.store, { objects: { prepareForUpkeep } });
    for (let tries = 0; tries < 7; tries++) {
      await full.finish();
      expect(await at.row()).toMatchObject({ failures: 0, due_at: at.hub.clock.now() + HOUR });
      at.hub.clock.advance(HOUR);
    }
    await at.upkeep.finish();
    expect(await at.row()).toMatchObject({ fault: null, maintained_at: at.hub.clock.now() });
  });
});

/** Returns the ids of processes of git that work on a repository. */
async function processesOn(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_, at) => lines[at]?.includes(folder) && lines[at]?.includes('repack'));
}

describe.skipIf(!hasGit || !existsSync('/proc/self/cmdline'))('git that hangs', () => {
  /** Puts something in place of an object that blocks whoever reads it. */
  async function hangs(at: Fixture): Promise<void> {
    await at.upkeep.finish();
    await at.request();
    await at.hub.database.transaction((tx) => tx.updateTable('git_upkeep').set({ prune_at: null }).execute());
    const [folder = ''] = (await at.filesIn('objects')).filter((name) => /^[0-9a-f]{2}$/.test(name));
    execFileSync('mkfifo', [join(at.store.folderOf(at.id), 'objects', folder, 'a'.repeat(38))]);
  }

  test('ends with the hub, and the repository stays due', async () => {
    await using at = await fixture();
    await hangs(at);
    const working = at.upkeep.round();
    await expect.poll(() => processesOn(at.store.folderOf(at.id))).not.toEqual([]);
    at.upkeep.stop();
    await working;
    await expect.poll(() => processesOn(at.store.folderOf(at.id))).toEqual([]);
    expect(await at.row()).toMatchObject({ failures: 0, fault: null, due_at: at.hub.clock.now() });
  });

  test('ends when another process has taken the upkeep over', async () => {
    await using at = await fixture();
    await hangs(at);
    let isHeld = true;
    const upkeep = upkeepOf(at.hub, at.store, { hold: async () => isHeld, holdEveryMs: 20 });
    const working = upkeep.round();
    await expect.poll(() => processesOn(at.store.folderOf(at.id))).not.toEqual([]);
    isHeld = false;
    await working;
    await expect.poll(() => processesOn(at.store.folderOf(at.id))).toEqual([]);
    expect(await at.row()).toMatchObject({ failures: 0, due_at: at.hub.clock.now() });
    expect(await upkeep.round()).toEqual({ done: 0 });
  });
});
