import { createCollection } from '@moonbase/client/collections';
import { getNotificationPage } from '@moonbase/client/notifications';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

const search = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const openSearch = async (page: Page, key: string) => {
  await page.keyboard.press(key);
  await page.locator('[role=combobox]:focus').waitFor();
};
const suggestion = (page: Page, name: string) => page.getByRole('option', { name });
const focused = (page: Page) => page.evaluate('document.activeElement?.textContent');

describe.skipIf(noBrowser)('finding in the browser', () => {
  const on = stage(startFilledWorld);

  test('/ suggests repositories, people and collections while one types, and Enter opens the chosen one', async () => {
    await createCollection({ ...on.world.as('alice'), title: 'Letters and more' });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    await page.getByRole('list', { name: 'Notifications' }).waitFor();
    await openSearch(page, '/');
    await page.keyboard.type('lette');
    await suggestion(page, 'acme/letters dataset').waitFor();
    await suggestion(page, 'Letters and more collection').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowUp');
    const active = async () => page.locator(`[id="${await search(page).getAttribute('aria-activedescendant')}"]`);
    expect(await (await active()).textContent()).toContain('Search all models for "lette"');
    await page.keyboard.press('ArrowDown');
    expect(await (await active()).textContent()).toContain('acme/letters');
    expect(await (await active()).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/datasets/acme/letters');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await openSearch(page, '/');
    await page.keyboard.type('bob');
    await suggestion(page, 'bob user').click();
    await page.waitForURL('**/bob');
    expect(complaints).toEqual([]);
  });

  test('the search keeps the focus when a slow page arrives below it', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    await page.getByRole('list', { name: 'Notifications' }).waitFor();
    let arrive = (): void => {};
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route(/\/assets\/webhooks-.*\.js$/, async (route) => {
      await slow;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click();
    await page.waitForURL('**/webhooks');
    await openSearch(page, '/');
    await page.keyboard.type('b');
    arrive();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor({ state: 'attached' });
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.keyboard.type('ob');
    expect(await search(page).inputValue()).toBe('bob');
    await suggestion(page, 'bob user').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('nobody finds what they may not see', async () => {
    await on.world.apply({ repos: [{ type: 'model', name: 'alice/hidden', private: true }] });
    for (const [user, found] of [
      ['alice', 1],
      ['carol', 0],
    ] as const) {
      await using visitor = await on.visit({ token: tokenOf(user) });
      const { page } = visitor;
      await page.goto('/models');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await search(page).fill('hidden');
      await page.getByRole('status').filter({ hasText: 'suggestions' }).waitFor({ state: 'attached' });
      expect([user, await suggestion(page, 'alice/hidden').count()]).toEqual([user, found]);
    }
  });

  test('Ctrl K opens pages, parts of the repository and actions; Escape leaves it where one was', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert');
    await page.getByRole('link', { name: 'Branches and tags' }).focus();
    await openSearch(page, 'Control+k');
    await page.keyboard.type('xyz');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Branches and tags');
    await openSearch(page, 'Control+k');
    await page.keyboard.type('new disc');
    await suggestion(page, 'New discussion in acme/bert').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/acme/bert/discussions/new');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The page takes the focus when it has arrived.
    await page.getByRole('heading', { name: 'New discussion' }).first().waitFor();
    await openSearch(page, 'Control+k');
    await page.keyboard.type('theme dark');
    await suggestion(page, 'Theme: dark').waitFor();
    await page.keyboard.press('Enter');
    await page.locator(':root[data-mantine-color-scheme=dark]').waitFor();
    expect(complaints).toEqual([]);
  });

  test('keys go through pages and lists, never act in a field, and can be turned off', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
    await rows.first().waitFor();
    const titles = await page.locator('#main .row-title').allTextContents();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe(titles[1]);
    await page.keyboard.press('k');
    expect(await focused(page)).toBe(titles[0]);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('e');
    await expect.poll(() => page.locator('#main .row-title').allTextContents()).toEqual(titles.slice(1));
    expect(await focused(page)).toBe(titles[1]);
    await until(
      () => getNotificationPage(on.world.as('alice')),
      ({ count }) => count.all === titles.length - 1,
    );

    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL('**/inbox');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.goto('/acme/bert/discussions/new');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.click();
    await page.keyboard.type('/?jkgi');
    await page.keyboard.press('Control+k');
    expect([await title.inputValue(), new URL(page.url()).pathname]).toEqual(['/?jkgi', '/acme/bert/discussions/new']);
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.goto('/models');
    await page.getByRole('heading', { name: 'Models' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.press('Control+k');
    await search(page).waitFor();
    expect(await search(page).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  test('the search works on a phone', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice'), phone: true });
    const { page, complaints } = visitor;
    await page.goto('/models');
    await page.getByRole('button', { name: 'Search', exact: true }).tap();
    await search(page).fill('bert');
    await suggestion(page, 'acme/bert model').tap();
    await page.waitForURL('**/acme/bert');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
  });
});
