import { expect, test } from 'vitest';
import type { GitRepository } from '../src/platform/git/repository.ts';
import { contentHub, type Item, jsonOf } from './content-hub.ts';
import { knownGitStore } from './git-folder.ts';

const FILES = 110;
/** Two searches of a requester run, a hundred wait, and further ones are refused. */
const MAX_OF_REQUESTER = 102;

/** A hub whose searches wait for the gate at the commit before the last, and count how often they read it. */
async function hubWithGate() {
  const store = knownGitStore();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = { commit: '', reads: 0 };
  const open: typeof store.open = (id, places) => {
    const repository = store.open(id, places);
    const readCommit: GitRepository['readCommit'] = async (commit) => {
      if (commit === held.commit) {
        held.reads += 1;
        await gate;
      }
      return repository.readCommit(commit);
    };
    return { ...repository, readCommit };
  };
  const at = await contentHub({ gitStore: { ...store, open } });
  const names = Array.from({ length: FILES }, (_, file) => `file-${String(file).padStart(3, '0')}`);
  const files = Object.fromEntries(names.map((name) => [name, name]));
  const { commitOid } = await at.commit({ files });
  await at.commit({ files: { last: 'x' } });
  held.commit = commitOid;
  const page = async (name: string, user = 'ada') => {
    const cursor = Buffer.from(`file ${name}`).toString('base64url');
    const response = await at.ask(`/api/models/ada/m/tree/main?expand=true&limit=1&cursor=${cursor}`, {}, user);
    return { status: response.status, items: await jsonOf<Item[]>(response) };
  };
  return { held, names, page, release, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

test('few searches for last commits run at once, and a requester who has too many waiting is refused', async () => {
  await using at = await hubWithGate();
  const statuses: number[] = [];
  const asked = at.names.slice(0, -1).map(async (name) => {
    const answer = await at.page(name);
    statuses.push(answer.status);
    return answer;
  });
  await expect.poll(() => statuses.length).toBe(asked.length - MAX_OF_REQUESTER);
  expect(new Set(statuses)).toEqual(new Set([429]));
  expect(at.held.reads).toBe(2);
  const other = at.page(at.names.at(-1) ?? '', 'bob');
  await expect.poll(() => at.held.reads).toBe(3);
  at.release();
  expect((await other).items[0]?.path).toBe('last');
  const pages = (await Promise.all(asked)).filter(({ status }) => status === 200);
  expect(pages).toHaveLength(MAX_OF_REQUESTER);
  for (const { items } of pages) expect(items[0]?.lastCommit?.id).toBe(at.held.commit);
});

test('the same search of several requesters runs once', async () => {
  await using at = await hubWithGate();
  const asked = ['ada', 'bob'].map((user) => at.page('file-000', user));
  await expect.poll(() => at.held.reads).toBe(1);
  const again = [...asked, at.page('file-000', 'bob')];
  at.release();
  for (const { items } of await Promise.all(again)) expect(items[0]).toMatchObject({ path: 'file-001' });
  expect(at.held.reads).toBeLessThanOrEqual(5);
});
