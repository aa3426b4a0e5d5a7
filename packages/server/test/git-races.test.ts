import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createCommit, listCommits } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { eavesdrop } from './eavesdrop.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { startHub } from './harness.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;
const CHANGES = 3;
/** For a longer run than in CI: `MOONBASE_GIT_RACE_SECONDS=60`. */
const SECONDS = Number(process.env.MOONBASE_GIT_RACE_SECONDS ?? 0);
const MAX_TRIES = 30;
/** In a longer run, writers by API rest after each change: without a pause they leave a pusher, who has to fetch first, no turn. */
const REST_MS = SECONDS > 0 ? 2000 : 0;

const operationsOf = (path: string, summary: string) =>
  new Blob([JSON.stringify({ summary, files: [{ path, content: summary }] })], { type: 'application/json' });

test('pushes, commits and merges at once on one branch make one line of history with one event each', async () => {
  await using hub = await startHub();
  await using client = await gitClient();
  await hub.people('alice');
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: REPO.repo });
  await using listener = await eavesdrop(hub, alice, { type: 'user', name: 'alice' });
  const acknowledged: string[] = [];
  const endsAt = performance.now() + SECONDS * 1000;
  const goesOn = (change: number) => change < CHANGES || performance.now() < endsAt;

  async function pushes(writer: string): Promise<void> {
    await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), writer);
    for (let change = 0; goesOn(change); change++) {
      const subject = `${writer} ${change}`;
      await writeFile(join(client.folder, writer, subject), subject);
      await client.run(writer, 'add', '--all');
      await client.run(writer, 'commit', '--quiet', '--message', subject);
      for (let tries = 1; ; tries++) {
        const { code, terminal } = await client.attempt(writer, 'push', '--quiet', 'origin', 'HEAD:main');
        if (code === 0) break;
        expect(terminal).toMatch(/fetch first|non-fast-forward/);
        if (SECONDS > 0 && performance.now() > endsAt) return;
        if (SECONDS === 0 && tries === MAX_TRIES) throw new Error(`Refused ${MAX_TRIES} times: ${terminal}`);
        await client.run(writer, 'pull', '--quiet', '--rebase', 'origin', 'main');
      }
      acknowledged.push(subject);
    }
  }
  async function commits(writer: string): Promise<void> {
    for (let change = 0; goesOn(change); change++) {
      const subject = `${writer} ${change}`;
      await createCommit({ ...alice, ...REPO, branch: 'main', operations: operationsOf(subject, subject) });
      acknowledged.push(subject);
      await pause(REST_MS);
    }
  }
  async function merges(writer: string): Promise<void> {
    for (let change = 0; goesOn(change); change++) {
      const subject = `${writer} ${change}`;
      const operations = operationsOf(subject, subject);
      const { pullRequestUrl = '' } = await createCommit({
        ...{ ...alice, ...REPO, branch: 'main', createPullRequest: true as const },
        operations,
      });
      await mergePullRequest({ ...alice, ...REPO, num: Number(pullRequestUrl.split('/').at(-1)) });
      acknowledged.push(subject);
      await pause(REST_MS);
    }
  }
  await Promise.all([
    ...['push-a', 'push-b', 'push-c'].map(pushes),
    ...['commit-a', 'commit-b', 'commit-c'].map(commits),
    ...['merge-a', 'merge-b'].map(merges),
  ]);

  if (SECONDS === 0) expect(acknowledged).toHaveLength(8 * CHANGES);
  const count = (way: string) => acknowledged.filter((subject) => subject.startsWith(way)).length;
  for (const way of ['push', 'commit', 'merge']) expect(count(way)).toBeGreaterThan(0);
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), 'result');
  const files = (await client.run('result', 'ls-tree', '-r', '--name-only', 'HEAD')).split('\n');
  expect(files.toSorted()).toEqual(['.gitattributes', ...acknowledged].toSorted());
  expect(await client.run('result', 'fsck', '--full', '--strict')).toBe('');
  const moves = (await listener.payloads()).flatMap(({ updatedRefs = [] }) =>
    updatedRefs.filter(({ ref }) => ref === 'refs/heads/main'),
  );
  expect(moves).toHaveLength(acknowledged.length);
  for (const [at, move] of moves.entries()) if (at > 0) expect(move.oldSha).toBe(moves[at - 1]?.newSha);
  if (SECONDS > 0) console.log(`${acknowledged.length} changes, ${count('push')} of them pushes`);
  const [head] = await listCommits({ ...alice, ...REPO, revision: 'main' });
  expect(moves.at(-1)?.newSha).toBe(head?.id);
});
