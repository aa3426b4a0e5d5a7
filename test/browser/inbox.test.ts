import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

const BERT = { type: 'model', repo: 'acme/bert' } as const;

describe.skipIf(noBrowser)('the inbox', () => {
  const on = stage(startFilledWorld);
  const unread = async () => (await getNotificationPage(on.world.as('alice'))).count.unread;

  test('shows new notifications as they arrive, and the thread, where the user replies', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
    await rows.nth(5).waitFor();
    expect(await page.title()).toMatch(/^\(6\) Inbox/);

    await createDiscussion({ ...on.world.as('bob'), ...BERT, title: 'Something new', description: '@alice, look' });
    await page.getByRole('link', { name: 'Something new' }).waitFor();
    expect(await page.title()).toMatch(/^\(7\) Inbox/);
    await expect.poll(() => rows.first().textContent()).toContain('acme/bert #5');

    await page.getByRole('link', { name: 'Something new' }).click();
    await page.getByRole('heading', { name: 'Something new' }).waitFor();
    expect(page.url()).toBe(`${on.world.url}/acme/bert/discussions/5`);
    await page.getByRole('textbox', { name: 'Answer' }).fill('I **do** look');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'I do look' }).waitFor();
    await expect.poll(() => page.locator('strong').textContent()).toBe('do');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('alice changed the status to closed').waitFor();
    // Opening the thread marked it as read.
    await until(unread, (count) => count === 6);
    expect(complaints).toEqual([]);
  });

  test('is filtered by the address of the page, and the browser can go back', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto('/inbox?repo=dataset%2Facme%2Fletters');
    await page.getByText('2 in all').waitFor();
    await page.getByText('Mentions', { exact: true }).click();
    await page.waitForURL(/mention=mentions/);
    await page.goBack();
    await page.waitForURL(/inbox\?repo=dataset%2Facme%2Fletters$/);
    await page.getByRole('button', { name: 'All repositories' }).click();
    await page.getByRole('link', { name: 'Publish the training script' }).waitFor();
    await page.getByRole('textbox', { name: 'Repository' }).fill('acme/nothing');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
  });

  test('is cleared: first of one notification, then of all', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto('/inbox?unread');
    await page.getByRole('checkbox', { name: 'Select Wrong label in the test split' }).check();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('1 changed').waitFor();
    await page.getByRole('link', { name: 'Wrong label in the test split' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Nothing matches').waitFor();
    await until(unread, (count) => count === 0);
    expect((await getNotificationPage(on.world.as('alice'))).count.all).toBeGreaterThan(0);
  });

  test('undoes a change if the hub refuses it, and says why', async () => {
    await commentDiscussion({ ...on.world.as('bob'), ...BERT, num: 1, comment: 'Once more, @alice' });
    await until(unread, (count) => count === 1);
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.route('**/api/notifications/mark-as-read*', (route) =>
      route.fulfill({ status: 500, json: { error: 'Something went wrong on our side' } }),
    );
    await page.goto('/inbox');
    await page.getByRole('checkbox', { name: 'Select The tokenizer splits numbers apart' }).check();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByRole('alert').filter({ hasText: 'Something went wrong on our side' }).waitFor();
    await page.locator('li[data-unread]').filter({ hasText: 'The tokenizer' }).waitFor();
  });

  test('says what a token may not do, and what does not exist', async () => {
    const name = 'only webhooks';
    const scopes = { scoped: [], global: ['user.webhooks.read'] };
    await on.world.apply({
      users: [{ name: 'alice', tokens: [{ name, role: 'fineGrained', token: 'hf_onlyWebhooks00', scopes }] }],
    });
    await using visitor = await on.visit({ token: 'hf_onlyWebhooks00' });
    await visitor.page.goto('/inbox');
    await visitor.page.getByText('No permission').waitFor();
    await using other = await on.visit({ token: tokenOf('alice') });
    await other.page.goto('/acme/bert/discussions/999');
    await other.page.getByText('Not found').waitFor();
  });
});
