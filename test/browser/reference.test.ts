import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { PIXEL } from './pages.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const line = (page: Page, name: RegExp) => page.getByRole('button', { name });
const send = (page: Page, id: string) =>
  page.getByRole('form', { name: `Try ${id}` }).getByRole('button', { name: 'Send' });

describe.skipIf(noBrowser)('the API reference', () => {
  const on = stage(startFilledWorld);

  test('is for strangers as well, finds operations, and tries them with a token that is typed', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/docs');
    await page.getByRole('searchbox', { name: 'Search' }).fill('whoami');
    await page.getByText(/^1 of \d+ operations$/).waitFor();
    await line(page, /whoami/).press('Enter');
    expect(new URL(page.url()).hash).toBe('#whoAmI');
    await page.getByText('Without a token').waitFor();
    await send(page, 'whoAmI').click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByRole('textbox', { name: /^Access token/ }).fill(tokenOf('bob'));
    await send(page, 'whoAmI').click();
    await page.getByText('"name": "bob"').waitFor();
    expect(await page.getByRole('region', { name: 'As a command' }).textContent()).not.toContain(tokenOf('bob'));
    expect(complaints).toEqual([]);
  });

  test('shows the parts of schemas, and sends a body as who is signed in', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    // The form of links to the earlier reference.
    await page.goto('/docs#/repos/createRepo');
    await line(page, /\/api\/repos\/create/).waitFor();
    await page.getByText('namespace/name').first().waitFor();
    const body = page.getByRole('textbox', { name: 'Body (application/json)' });
    await body.fill('{"name": "tried", "type": "dataset"}');
    await page.getByText('As who is signed in').waitFor();
    await send(page, 'createRepo').click();
    await page.getByText(/"url": ".*\/datasets\/alice\/tried"/).waitFor();
    await send(page, 'createRepo').click();
    await page.getByText('409 Conflict', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('leaves parameters out that have no value, and encodes the others', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto('/docs#listModels');
    await page.getByRole('textbox', { name: 'search (query)' }).fill('a&b c');
    await page.getByRole('region', { name: 'As a command' }).getByText('?search=a%26b+c').waitFor();
  });

  test('sends a file where the body is bytes', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/docs#setUserAvatar');
    await page.getByRole('textbox', { name: 'username (path)' }).fill('alice');
    const picture = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await page.getByLabel('Body (image/png)').setInputFiles(picture);
    await page.getByText("--data-binary '@face.png'").waitFor();
    await send(page, 'setUserAvatar').click();
    await page.getByText('"avatarUrl": "').waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows an answer that does not end while it arrives, until it is stopped', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/docs#streamNotifications');
    await send(page, 'streamNotifications').click();
    await page.getByRole('region', { name: 'The answer' }).getByText('event: ').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    await page.getByRole('region', { name: 'The answer' }).getByText('event: ').waitFor();
    expect(complaints).toEqual([]);
  });
});
