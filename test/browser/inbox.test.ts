import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { listMuted, listWatched, updateWatched } from '@moonbase/client/watching';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

const BERT = { type: 'model', repo: 'acme/bert' } as const;

describe.skipIf(noBrowser)('the inbox', () => {
  const on = stage(startFilledWorld);
  const watchedBy = async () => {
    const names: string[] = [];
    for await (const { name } of listWatched(on.world.as('alice'))) names.push(name);
    return names;
  };
  const mutedBy = async () => {
    const names: string[] = [];
    for await (const { name } of listMuted(on.world.as('alice'))) names.push(name);
    return names;
  };
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

  test('keeps filters that the user saves, in this browser', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox?unread=&repo=acme/bert');
    await page.getByRole('button', { name: 'Save this filter' }).click();
    const saved = page.getByRole('navigation', { name: 'Saved filters' });
    await saved.getByRole('link', { name: 'Unread, acme/bert' }).waitFor();
    await expectAccessible(page);
    await page.goto('/inbox');
    await saved.getByRole('link', { name: 'Unread, acme/bert' }).click();
    await page.waitForURL(/unread=&repo=acme%2Fbert$/);
    await page.getByText('4 in all').waitFor();
    await page.getByRole('button', { name: 'Remove this filter' }).click();
    await page.getByRole('button', { name: 'Save this filter' }).waitFor();
    await page.goto('/inbox');
    await page.getByRole('list', { name: 'Notifications' }).waitFor();
    expect(await saved.count()).toBe(0);
    expect(complaints).toEqual([]);
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

  test('keeps what is done, and brings it back: at once, or later from the list of what is done', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const title = 'The tokenizer splits numbers apart';
    const row = page.getByRole('link', { name: title });
    const finish = async () => {
      await page.getByRole('checkbox', { name: `Select ${title}` }).check();
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await row.waitFor({ state: 'detached' });
    };
    await page.goto('/inbox');
    const before = await getNotificationPage(on.world.as('alice'));
    await finish();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    expect(await getNotificationPage(on.world.as('alice'))).toEqual(before);

    await finish();
    await page.getByText('Done', { exact: true }).click();
    await page.waitForURL(/inbox\?done/);
    await page.getByRole('list', { name: 'Done notifications' }).getByRole('link', { name: title }).waitFor();
    await page.getByRole('checkbox', { name: `Select ${title}` }).check();
    await page.getByRole('button', { name: 'Move to inbox' }).click();
    await page.getByRole('status').filter({ hasText: '1 back in the inbox' }).waitFor();
    expect(await getNotificationPage(on.world.as('alice'))).toEqual(before);
    expect(complaints).toEqual([]);
  });

  test('says why a notification is there, and takes the way out', async () => {
    const alice = on.world.as('alice');
    await updateWatched({ ...alice, add: [{ type: 'org', id: 'acme' }] });
    const before = await unread();
    await createDiscussion({ ...on.world.as('bob'), ...BERT, title: 'Of no concern', description: 'To anybody' });
    await until(unread, (count) => count === before + 1);
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
    await rows.filter({ hasText: 'The tokenizer' }).getByText('You were mentioned').waitFor();
    await rows.filter({ hasText: 'Of no concern' }).getByText('You watch acme').waitFor();
    await page.getByRole('button', { name: 'Unwatch: Of no concern' }).click();
    await page.getByRole('status').filter({ hasText: 'You no longer watch acme.' }).waitFor();
    expect(await watchedBy()).not.toContain('acme');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').filter({ hasText: 'You watch acme again.' }).waitFor();
    expect(await watchedBy()).toContain('acme');

    const muting = (label: string) =>
      page.getByRole('button', { name: `${label} The tokenizer splits numbers apart`, exact: true });
    await muting('Mute').click();
    await muting('Unmute').waitFor();
    expect(await mutedBy()).toEqual(['The tokenizer splits numbers apart']);
    await muting('Unmute').click();
    await muting('Mute').waitFor();
    expect(await mutedBy()).toEqual([]);
    expect(complaints).toEqual([]);
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
