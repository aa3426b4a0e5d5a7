import { getUserOverview } from '@moonbase/client/profiles';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { PIXEL } from './pages.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { startFilledWorld, tokenOf } from './world.ts';

describe.skipIf(noBrowser)('the page of an account in the browser', () => {
  const on = stage(startFilledWorld);

  test('shows the repositories and organizations of a user, whom others follow', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/alice/tiny');
    await page.getByRole('navigation', { name: 'Above' }).getByRole('link', { name: 'alice' }).click();
    await page.getByRole('heading', { name: 'Alice Moreau' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/alice');
    await page.getByRole('list', { name: 'Models' }).getByRole('link', { name: 'alice/tiny' }).waitFor();
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
    await page.getByText('1 follower').waitFor();
    const overview = await getUserOverview({ ...on.world.as('carol'), username: 'alice' });
    expect(overview).toMatchObject({ numFollowers: 1, isFollowing: true });
    await expectAccessible(page);

    await page.getByRole('list', { name: 'Organizations' }).getByRole('link', { name: 'Acme Labs' }).click();
    await page.getByText('acme, 3 members').waitFor();
    await page.getByRole('list', { name: 'Datasets' }).getByRole('link', { name: 'acme/letters' }).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('table', { name: 'Members' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('gets another picture, from its user or an admin of the organization alone', async () => {
    const picture = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    for (const name of ['alice', 'acme']) {
      await page.goto(`/${name}`);
      await page.getByRole('button', { name: 'Edit avatar' }).click();
      const shown = page.getByRole('img', { name: `Avatar of ${name}` });
      const choose = async (chosen: typeof picture) => {
        const choosing = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Choose a picture' }).click();
        await (await choosing).setFiles([chosen]);
      };
      await choose({ ...picture, buffer: Buffer.from('<svg onload="alert(1)"/>') });
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await choose(picture);
      await expect.poll(() => shown.getAttribute('src')).toContain('/avatars/uploaded/');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Use the generated picture' }).click();
      const question = page.getByRole('dialog', { name: 'Delete the picture of' });
      await question.waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Use the generated picture' }).click();
      await agree(page, 'Delete the picture of', 'Delete');
      await expect.poll(() => shown.getAttribute('src')).not.toContain('/avatars/uploaded/');
    }
    await page.goto('/bob');
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit avatar' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('is the same for a program as a missing page, and so is that of nobody', async () => {
    const status = async (path: string, accept: string) =>
      (await fetch(on.world.url + path, { headers: { accept } })).status;
    expect([await status('/alice', 'text/html'), await status('/alice', '*/*')]).toEqual([200, 404]);
    await using visitor = await on.visit({ token: tokenOf('carol') });
    await visitor.page.goto('/nobody-at-all');
    await visitor.page.getByRole('heading', { name: 'Not found' }).waitFor();
  });
});
