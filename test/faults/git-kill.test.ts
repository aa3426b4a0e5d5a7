import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo, listRefs } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createGitStore } from '../../packages/server/src/platform/git/git-store.ts';
import { gitClient, remoteOf } from '../../packages/server/test/git-client.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { age, pathsIn } from './aged-files.ts';
import { descendantsOf } from './child-processes.ts';
import { expectSoundForGit } from './content-check.ts';
import { ACCESS_TOKEN, until } from './load.ts';
import { pause, seeded } from './pace.ts';
import { startSink } from './sink.ts';

const KILLS = 20;
const WRITERS = ['w0', 'w1', 'w2'];
const REPO = { type: 'model', repo: 'admin/pushed' } as const;
const FILES_PER_PUSH = 20;

test(`${KILLS} kills of the hub and of its git processes during pushes lose nothing (${engine})`, async () => {
  const random = seeded(7);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-git-kill-'));
  await using database = await createTestDatabase();
  await using client = await gitClient();
  await using sink = await startSink();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
  };
  let hub = await startHubProcess(settings);
  const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN });
  const remote = () => remoteOf(connection(), REPO.repo);
  const acknowledged: { readonly ref: string; readonly sha: string }[] = [];
  let refused = 0;
  let going = true;

  async function push(writer: string): Promise<void> {
    for (let at = 0; going; at++) {
      for (let file = 0; file < FILES_PER_PUSH; file++)
        await writeFile(join(client.folder, writer, `${writer}-${file}`), `${at} ${file}\n`);
      await client.run(writer, 'add', '--all');
      await client.run(writer, 'commit', '--quiet', '--message', `${writer} ${at}`);
      const sha = await client.run(writer, 'rev-parse', 'HEAD');
      const ref = `refs/heads/${writer}`;
      const { code } = await client.attempt(writer, 'push', '--quiet', remote(), `HEAD:${ref}`);
      if (code === 0) acknowledged.push({ ref, sha });
      else refused++;
    }
  }
  /** Kills a process that the hub has started; returns whether there was one. */
  async function killChild(): Promise<boolean> {
    const children = await descendantsOf(hub.pid);
    const child = children[Math.floor(children.length * random())];
    if (child === undefined) return false;
    try {
      return process.kill(child, 'SIGKILL');
    } catch {
      return false;
    }
  }

  let writers: Promise<unknown> | undefined;
  try {
    const { id } = await createRepo({ ...connection(), ...REPO });
    const watched = [{ type: REPO.type, name: REPO.repo }];
    await createWebhook({ ...connection(), webhook: { url: sink.url, watched, domains: ['repo'] } });
    for (const writer of WRITERS) await client.run('.', 'clone', '--quiet', remote(), writer);
    const startedAt = Date.now();
    writers = Promise.all(WRITERS.map(push));
    const killed = { hub: 0, git: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = acknowledged.length + 1;
      await until('a push is acknowledged', () => acknowledged.length >= enough);
      await pause(200 * random());
      if (kill % 2 === 0) {
        await hub.kill();
        hub = await startHubProcess(settings);
        killed.hub++;
      } else {
        await until('a git process runs and is killed', killChild);
        killed.git++;
      }
    }
    going = false;
    await writers;
    const tookMs = Date.now() - startedAt;

    await client.run('.', 'clone', '--quiet', '--mirror', remote(), 'result');
    const history = new Set((await client.run('result', 'rev-list', '--all')).split('\n'));
    const lost: string[] = [];
    for (const { ref, sha } of acknowledged) {
      const { code } = await client.attempt('result', 'merge-base', '--is-ancestor', sha, ref);
      if (code !== 0) lost.push(sha);
    }
    const undelivered = () => acknowledged.filter(({ sha }) => !sink.heads.has(sha));
    await until('all is delivered', () => undelivered().length === 0).catch(() => {});
    const announcedOnly = [...sink.heads].filter((sha) => !history.has(sha));
    const { branches } = await listRefs({ ...connection(), ...REPO });
    const forGit = await client.run('result', 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads');

    expect(await hub.stop()).toBe(0);
    const gitFolder = createGitStore(join(folder, 'git'), { durable: true }).folderOf(id);
    expectSoundForGit(gitFolder);
    const leftovers = async () => (await pathsIn(gitFolder)).filter((path) => /\/(tmp_|\.tmp)/.test(path));
    const before = await leftovers();
    await age(before);
    hub = await startHubProcess(settings);
    await expect.poll(leftovers).toEqual([]);
    const exitStatus = await hub.stop();

    console.log(
      `${killed.hub} kills of the hub and ${killed.git} of git in ${Math.round(tookMs / 1000)} s (${engine}): ` +
        `acknowledged ${acknowledged.length} pushes, refused ${refused}, lost ${lost.length}, undelivered ` +
        `${undelivered().length}, announced without a move ${announcedOnly.length}, ${before.length} leftovers deleted`,
    );
    expect({ lost, undelivered: undelivered(), announcedOnly }).toEqual({
      ...{ lost: [], undelivered: [], announcedOnly: [] },
    });
    expect(forGit.split('\n').toSorted()).toEqual(
      branches.map(({ ref, targetCommit }) => `${targetCommit} ${ref}`).toSorted(),
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
    expect(exitStatus).toBe(0);
  } finally {
    going = false;
    await hub.kill();
    await writers?.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
});
