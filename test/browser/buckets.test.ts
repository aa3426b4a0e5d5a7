import { readFile } from 'node:fs/promises';
import { changeBucketFiles, listBucketTree } from '@moonbase/client/content';
import { createBucket, getBucket } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { uploadByXet } from '../../packages/server/test/xet-client.ts';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { keyboard } from './hands.ts';
import { stage } from './stage.ts';
import { person, startWorld, tokenOf, type World } from './world.ts';

const EMPTY_HASH = '0'.repeat(64);
const WEIGHTS = Buffer.alloc(300_000, 7);

/** Starts a hub with two users and two papers. */
async function startWithPapers(): Promise<World> {
  const world = await startWorld();
  await world.apply({
    users: [person('alice'), person('carol')],
    papers: [
      { id: '2401.01234', title: 'On moons', summary: 'Why.', authors: [{ name: 'Ada' }] },
      { id: '2402.05678', title: 'On tides', summary: 'How.', authors: [{ name: 'Isaac' }] },
    ],
  });
  return world;
}

/** Sends bytes to a bucket of alice, and returns the hash under which a path gets them. */
async function send(world: World, repo: string, bytes: Uint8Array): Promise<string> {
  const headers = { authorization: `Bearer ${world.as('alice').accessToken}` };
  const answer = await fetch(`${world.url}/api/buckets/${repo}/xet-write-token`, { headers });
  const token: Parameters<typeof uploadByXet>[0] = JSON.parse(await answer.text());
  return (await uploadByXet(token, bytes, { areNamed: false })).hash;
}

describe.skipIf(noBrowser)('buckets in the browser', () => {
  const on = stage(startWithPapers);
  const change = (repo: string, ...operations: readonly object[]) =>
    changeBucketFiles({
      ...{ ...on.world.as('alice'), repo },
      operations: new Blob(operations.map((each) => `${JSON.stringify(each)}\n`)),
    });
  const fill = async (repo: string, isPrivate = false) => {
    await createBucket({ ...on.world.as('alice'), repo, private: isPrivate });
    const xetHash = await send(on.world, repo, WEIGHTS);
    await change(
      repo,
      { type: 'addFile', path: 'runs/a b#?/weights.bin', xetHash, mtime: 0 },
      { type: 'addFile', path: 'notes.txt', xetHash: EMPTY_HASH, mtime: 0 },
      { type: 'addFile', path: 'runs/log.txt', xetHash: EMPTY_HASH, mtime: 0 },
    );
  };
  const paths = async (repo: string) => {
    const found: string[] = [];
    for await (const { path } of listBucketTree({ ...on.world.as('alice'), repo })) found.push(path);
    return found;
  };

  test('show folders and files, which are downloaded byte for byte and deleted by their name', async () => {
    await fill('alice/data');
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/models');
    await page.getByRole('link', { name: 'Buckets' }).click();
    await page.getByRole('list', { name: 'Buckets' }).getByRole('link', { name: 'alice/data' }).click();
    await page.getByText('3 files, 300.0 kB').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'runs/' }).click();
    await page.getByRole('link', { name: 'a b#?/' }).click();
    await page.getByRole('heading', { name: 'a b#?' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'weights.bin' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('weights.bin');
    expect(WEIGHTS.equals(await readFile(await download.path()))).toBe(true);

    await page.getByRole('navigation', { name: 'Above' }).getByRole('link', { name: 'alice/data' }).click();
    const hands = keyboard(page);
    await hands.press(page.getByRole('button', { name: 'Delete notes.txt' }));
    const dialog = page.getByRole('dialog', { name: 'Delete notes.txt?' });
    await expectAccessible(page);
    await hands.press(dialog.getByRole('button', { name: 'Delete' }));
    await page.getByRole('link', { name: 'notes.txt' }).waitFor({ state: 'detached' });
    expect(await paths('alice/data')).toEqual(['runs/a b#?/weights.bin', 'runs/log.txt']);
    await page.getByRole('button', { name: 'Use this bucket' }).click();
    await page.getByText("hf sync ./folder 'hf://buckets/alice/data'").waitFor();
    expect(complaints).toEqual([]);
  });

  test('are made private, moved and deleted by those who may; a reader only reads, a stranger finds nothing', async () => {
    await fill('alice/old');
    {
      await using reader = await on.visit({ token: tokenOf('carol') });
      await reader.page.goto('/buckets/alice/old');
      await reader.page.getByRole('link', { name: 'runs/' }).waitFor();
      expect(await reader.page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
      expect(await reader.page.getByRole('link', { name: 'Settings' }).count()).toBe(1);
    }
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/buckets/alice/old/settings');
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('button', { name: 'Make public' }).waitFor();
    await expectAccessible(page);
    {
      await using stranger = await on.visit({ token: tokenOf('carol') });
      const seen: string[] = [];
      for (const name of ['old', 'nobody']) {
        await stranger.page.goto(`/buckets/alice/${name}`);
        await stranger.page.getByRole('heading', { name: 'Not found' }).waitFor();
        seen.push((await stranger.page.locator('main').innerText()).replaceAll(name, ''));
      }
      expect(seen[0]).toBe(seen[1]);
    }
    await page.getByRole('textbox', { name: 'New owner and name' }).fill('alice/new');
    await page.getByRole('button', { name: 'Move' }).click();
    await page.waitForURL('**/buckets/alice/new/settings');
    await page.getByRole('textbox', { name: 'Type alice/new to confirm' }).fill('alice/new');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/\/repositories/);
    await expect(getBucket({ ...on.world.as('alice'), repo: 'alice/new' })).rejects.toMatchObject({ status: 404 });
    expect(complaints).toEqual([]);
  });

  test('beside them, papers are listed and searched', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/papers');
    const list = page.getByRole('list', { name: 'Papers' });
    await list.getByRole('link', { name: 'On moons' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Search papers' }).fill('tides');
    await list.getByRole('link', { name: 'On moons' }).waitFor({ state: 'detached' });
    await list.getByRole('link', { name: 'On tides' }).click();
    await page.waitForURL('**/papers/2402.05678');
    expect(complaints).toEqual([]);
  });
});
