import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommit, getRepoStorage, listCommits, maintainRepo } from '@moonbase/client/content';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGitStore, type GitStore } from '../../packages/server/src/platform/git/git-store.ts';
import {
  repackApart,
  repackGeometrically,
  writeCommitGraph,
} from '../../packages/server/src/platform/git/maintenance/stock-repack.ts';
import { withId } from '../../packages/server/src/platform/git/objects/object.ts';
import { hasStockGit } from '../../packages/server/test/stock-git.ts';
import { startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause, seeded } from './pace.ts';

const KILLS = 18;
const HUB_KILLS = 6;
/** The objects of each kind that come before a kill. */
const GROWTH = 15;
const ID = '0'.repeat(24);
const HOUR_MS = 3_600_000;

let folder: string;
let store: GitStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-upkeep-kill-'));
  store = createGitStore(join(folder, 'git'), { durable: false });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function git(args: readonly string[], input?: string, place = store.folderOf(ID)): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  const options = { env, input, stdio: 'pipe', maxBuffer: 2 ** 28 } as const;
  return execFileSync('git', ['--git-dir', place, ...args], options)
    .toString()
    .trim();
}

/** Adds commits in a pack, loose objects, and some to which no ref leads. */
async function grow(round: number): Promise<void> {
  const commits = Array.from({ length: GROWTH }, (_, at) => {
    const text = `${round} ${at}\n`;
    const head = `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + round * 100 + at} +0000\ndata 2\n${at % 10}\n`;
    const from = at === 0 && round > 0 ? 'from refs/heads/main^0\n' : '';
    return `${head}${from}M 644 inline file-${at % 9}\ndata ${text.length}\n${text}\n`;
  });
  git(['fast-import', '--quiet'], commits.join(''));
  const blobs = Array.from({ length: GROWTH }, (_, at) =>
    withId({ type: 'blob', body: Buffer.from(`loose ${round} ${at}`) }),
  );
  await store.writeLoose(ID, blobs);
}

/** Returns the ids of processes of stock git that work on a repository, or on behalf of one that does. */
async function processesOn(place: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const [line, environment] = await Promise.all(
        ['cmdline', 'environ'].map((file) => readFile(`/proc/${id}/${file}`, 'latin1').catch(() => '')),
      );
      const isGit = /(^|\/)git\0/.test(line ?? '') && !line?.startsWith('/bin/sh');
      return isGit && (line?.includes(place) || environment?.includes(place)) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}

const killAll = (ids: readonly number[]): void => {
  for (const id of ids)
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // The process has ended by itself.
    }
};

describe.skipIf(!hasStockGit || process.platform !== 'linux')('the upkeep of a git folder', () => {
  test(`${KILLS} kills of git at any moment leave a repository with every object, and the next run succeeds`, async () => {
    const random = seeded(41);
    await store.create(ID);
    const work = { gitDir: store.folderOf(ID), signal: new AbortController().signal };
    const pack = () => repackGeometrically(work);
    const ways = [pack, () => writeCommitGraph(work), () => repackApart(work, Date.now() - HOUR_MS)];
    let ended = 0;
    const known = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      await grow(kill);
      for (const id of git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']).split('\n'))
        known.add(id);
      let isOver = false;
      const working = (ways[kill % ways.length] ?? pack)()
        .catch(() => {
          ended += 1;
        })
        .finally(() => {
          isOver = true;
        });
      while (!isOver && (await processesOn(store.folderOf(ID))).length === 0) await pause(1);
      await pause(20 * random());
      // One child alone, or all of them.
      const running = await processesOn(store.folderOf(ID));
      killAll(random() < 0.5 ? running : running.slice(-1));
      await working;
      const listed = git(['cat-file', '--batch-check=%(objectname)'], [...known].join('\n')).split('\n');
      expect(listed).toEqual([...known]);
      if (kill % 6 === 5) {
        // Another store has nothing in its cache.
        const afresh = createGitStore(join(folder, 'git'), { durable: false }).open(ID);
        for (const id of known) await afresh.read(id);
        expect(git(['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
      }
      await forgetLocks(store, ID);
    }
    expect(ended).toBeGreaterThan(0);
    for (const way of ways) await way();
    expect(await store.count(ID)).toMatchObject({ looseObjects: 0, packs: 2 });
    expect(git(['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
    expect(await remains(store, ID)).toEqual([]);
    for (const id of known) expect(await store.open(ID).has(id)).toBe(true);
    console.log(`${KILLS} kills of git, ${ended} of which ended it; ${known.size} objects are there`);
  });

  test(`${HUB_KILLS} kills of the hub while it maintains a repository lose nothing`, async () => {
    const random = seeded(7);
    const data = await mkdtemp(join(tmpdir(), 'moonbase-upkeep-kill-'));
    const settings = { MOONBASE_DATA_DIR: data, MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN };
    const own = createGitStore(join(data, 'git'), { durable: false });
    const repo = { accessToken: ACCESS_TOKEN, type: 'model', repo: 'admin/bert' } as const;
    const acknowledged: string[] = [];
    let hub = await startHubProcess(settings);
    const admin = () => ({ ...repo, hubUrl: hub.url });
    try {
      const { id } = await createRepo(admin());
      /** Commits until the hub is gone. */
      const commits = async (prefix: string) => {
        const connection = admin();
        for (let at = 0; ; at++) {
          const files = Array.from({ length: 30 }, (_, file) => ({
            path: `${prefix}/${at}/${file}`,
            content: `${file}`,
          }));
          const operations = new Blob([JSON.stringify({ summary: 'more', files })], { type: 'application/json' });
          acknowledged.push((await createCommit({ ...connection, branch: 'main', operations })).commitOid);
        }
      };
      for (let kill = 0; kill < HUB_KILLS; kill++) {
        const committing = commits(`k${kill}`).catch(() => {});
        const enough = acknowledged.length + 2;
        await until('commits are acknowledged', () => acknowledged.length >= enough);
        await maintainRepo(admin());
        await pause(150 * random());
        await hub.kill();
        await committing;
        await forgetLocks(own, id);
        hub = await startHubProcess(settings);
      }
      const maintenance = async () => (await getRepoStorage(admin())).maintenance;
      await maintainRepo(admin());
      await expect.poll(async () => (await maintenance()).requestedAt).toBeUndefined();
      expect(await maintenance()).toMatchObject({ failures: 0 });
      const history: string[] = [];
      for (let page = 0; history.length === page * 1000; page++)
        history.push(
          ...(await listCommits({ ...admin(), revision: 'main', page, limit: 1000 })).map((each) => each.id),
        );
      expect(acknowledged.filter((commit) => !history.includes(commit))).toEqual([]);
      expect(await hub.stop()).toBe(0);
      expect(git(['fsck', '--full', '--strict', '--no-dangling'], '', own.folderOf(id))).toBe('');
    } finally {
      await hub.kill();
      await rm(data, { recursive: true, force: true });
    }
  });

  test('git ends with a hub that is killed', async () => {
    const data = await mkdtemp(join(tmpdir(), 'moonbase-upkeep-kill-'));
    const settings = { MOONBASE_DATA_DIR: data, MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN };
    const hub = await startHubProcess(settings);
    try {
      const admin = { hubUrl: hub.url, accessToken: ACCESS_TOKEN, type: 'model', repo: 'admin/bert' } as const;
      const { id } = await createRepo(admin);
      const own = createGitStore(join(data, 'git'), { durable: false });
      await own.create(id);
      await own.writeLoose(id, [withId({ type: 'blob', body: Buffer.from('x') })]);
      const objects = join(own.folderOf(id), 'objects');
      const [place = ''] = (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
      // Whoever reads this object waits for ever.
      execFileSync('mkfifo', [join(objects, place, 'a'.repeat(38))]);
      await maintainRepo(admin);
      await expect.poll(() => processesOn(own.folderOf(id))).not.toEqual([]);
      await hub.kill();
      await expect.poll(() => processesOn(own.folderOf(id))).toEqual([]);
    } finally {
      await hub.kill();
      await rm(data, { recursive: true, force: true });
    }
  });
});

/** Makes what git has left look two hours older, and deletes it as the hub does. */
async function forgetLocks(of: GitStore, id: string): Promise<void> {
  const then = Date.now() / 1000 - 7200;
  for (const path of await remains(of, id)) await utimes(path, then, then).catch(() => {});
  await of.deleteLeftovers(id, Date.now() - HOUR_MS);
}

async function remains(of: GitStore, id: string): Promise<string[]> {
  const entries = await readdir(join(of.folderOf(id), 'objects'), { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => /^\.?tmp[-_]|\.lock$|^bitmap-ref-tips_/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name));
}
