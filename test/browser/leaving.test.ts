import { createDiscussion } from '@moonbase/client/discussions';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { keyboard } from './hands.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const BERT = { type: 'model', repo: 'acme/bert' } as const;
const focused = (page: Page) => page.evaluate('document.activeElement?.textContent');
const scrolled = (page: Page) => page.evaluate('window.scrollY');

describe.skipIf(noBrowser)('going from page to page', () => {
  const on = stage(startFilledWorld);

  test('moves the focus to the heading of the new page, and begins at its top', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.setViewportSize({ width: 1280, height: 300 });
    const hands = keyboard(page);
    await page.goto('/acme/bert/discussions');
    await page.getByRole('list', { name: 'Discussions' }).waitFor();
    expect(await focused(page)).not.toBe('acme/bert');
    await page.evaluate('window.scrollTo(0, 200)');
    const link = page.getByRole('link', { name: 'Add evaluation results' });
    await hands.press(link);
    await page.getByRole('heading', { name: 'Add evaluation results' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Add evaluation results');
    expect(await scrolled(page)).toBe(0);
    await expect.poll(() => page.title()).toContain('Add evaluation results · acme/bert#2');
    await page.goBack();
    await page.getByRole('heading', { name: 'acme/bert' }).waitFor();
    await expect.poll(() => focused(page)).toBe('acme/bert');
    await expect.poll(() => page.title()).toContain('Discussions · acme/bert');
    expect(complaints).toEqual([]);
  });

  test('the next page of a list begins at the top of the list', async () => {
    const bob = on.world.as('bob');
    for (let each = 0; each < 55; each++)
      await createDiscussion({ ...bob, ...BERT, title: `Question ${each}`, description: 'It is.' });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert/discussions');
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/page=2/);
    const list = page.getByRole('list', { name: 'Discussions' });
    await expect.poll(async () => (await list.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(56);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe(await list.getByRole('link').first().textContent());
    expect(complaints).toEqual([]);
  });

  test('asks before an unsaved text is lost: by a link, the keys, "back", or closing the tab', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const asked: string[] = [];
    let agrees = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (agrees ? dialog.accept() : dialog.dismiss());
    });
    await page.goto('/acme/bert/discussions/1');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.goBack();
    const answer = page.getByRole('textbox', { name: 'Answer' });
    await answer.fill('My **answer**');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click();
    expect([asked, new URL(page.url()).pathname]).toEqual([['confirm'], '/acme/bert/discussions/1']);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    expect(asked.length).toBe(2);
    await page.evaluate('history.forward()');
    await expect.poll(() => asked.length).toBe(3);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/acme/bert/discussions/1');
    expect(await answer.inputValue()).toBe('My **answer**');
    await page.evaluate('setTimeout(() => location.assign("/docs"))');
    await expect.poll(() => asked.at(-1)).toBe('beforeunload');
    expect(await answer.inputValue()).toBe('My **answer**');

    const before = asked.length;
    agrees = true;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click();
    await page.waitForURL('**/inbox');
    expect(asked.length).toBe(before + 1);
    // What was sent or emptied is not lost.
    await page.goto('/acme/bert/discussions/1');
    await answer.fill('Sent');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Sent', { exact: true }).waitFor();
    await expect.poll(() => answer.inputValue()).toBe('');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click();
    await page.waitForURL('**/inbox');
    expect(asked.length).toBe(before + 1);
    expect(complaints).toEqual([]);
  });

  test('keeps what is written in forms and dialogs whose user stays', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    for (const [path, name] of [
      ['/collections/new', 'Description'],
      ['/settings/applications', 'Redirect addresses'],
      ['/settings/applications', 'Claims'],
      ['/organizations/acme/single-sign-on', 'Allowed groups'],
    ] as const) {
      await page.goto(path);
      const field = page.getByRole('textbox', { name });
      await field.fill('Many words');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click();
      expect([name, asked.splice(0), new URL(page.url()).pathname]).toEqual([name, ['confirm'], path]);
      expect(await field.inputValue()).toBe('Many words');
      await field.fill('');
    }
    await page.goto('/acme/bert/branches');
    await page.getByRole('button', { name: 'New tag' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Many words');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New tag' }).click();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Many words');
    expect(asked).toEqual([]);
  });

  test('a form that was sent leads on without a question', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto('/acme/bert/discussions/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Sent at once');
    await page.getByRole('button', { name: 'Open discussion' }).click();
    await page.getByRole('heading', { name: 'Sent at once' }).waitFor();
    await page.goto('/acme/bert/new/main');
    await page.getByRole('textbox', { name: 'Path' }).fill('sent.txt');
    await page.getByRole('textbox', { name: 'Content' }).fill('sent');
    await page.getByRole('link', { name: 'Cancel' }).click();
    expect([asked.length, new URL(page.url()).pathname]).toEqual([1, '/acme/bert/new/main']);
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.waitForURL('**/blob/main/sent.txt');
    expect(asked.length).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('members see the parts of an organization that they may use, and strangers its members alone', async () => {
    const parts = async (user: string) => {
      await using visitor = await on.visit({ token: tokenOf(user) });
      const { page } = visitor;
      await page.goto('/organizations/acme');
      const tabs = page.getByRole('navigation', { name: 'Parts of acme' }).getByRole('link');
      await page.locator('.sections').waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      return await tabs.allTextContents();
    };
    await on.world.apply({
      users: [{ name: 'dave', fullname: 'Dave', tokens: [{ name: 'x', role: 'write', token: tokenOf('dave') }] }],
    });
    expect(await parts('dave')).toEqual(['Members']);
    expect(await parts('carol')).toEqual(['Members', 'Resource groups', 'Roles', 'Access', 'Storage']);
    expect((await parts('alice')).length).toBe(9);
  });
});
