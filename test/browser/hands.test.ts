import { createDiscussion } from '@moonbase/client/discussions';
import { uploadFiles } from '@moonbase/client/files';
import { getNotificationPage, markNotifications } from '@moonbase/client/notifications';
import { deleteWebhook, listWebhooks } from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { keyboard, touch } from './hands.ts';
import { stage } from './stage.ts';
import { PHONE } from './visitor.ts';
import { startFilledWorld, startReceiver, tokenOf, until } from './world.ts';

/** Rows that the pointer colours: in lists and in tables, with links, badges and dimmed texts. */
const ROWS = [
  ['/inbox', 'list', 'Notifications'],
  ['/webhooks', 'table', 'Webhooks'],
  ['/models', 'list', 'Models'],
  ['/acme/bert/branches', 'table', 'Branches'],
  ['/organizations/acme', 'table', 'Members'],
  ['/organizations/acme/tokens', 'table', 'Tokens'],
  ['/settings/tokens', 'table', 'Access tokens'],
] as const;

const BERT = { type: 'model', repo: 'acme/bert' } as const;

describe.skipIf(noBrowser).each([
  ['by keyboard alone', false],
  ['on a phone, by touch', true],
] as const)('%s', (_, phone) => {
  const on = stage(startFilledWorld);
  const come = async () => {
    const visitor = await on.visit({ token: tokenOf('alice'), phone });
    return { visitor, page: visitor.page, hands: (phone ? touch : keyboard)(visitor.page) };
  };
  const wide = PHONE.width;

  test('a user opens the inbox, filters it, reads it and marks it as done', async () => {
    const { visitor, page, hands } = await come();
    await using _visitor = visitor;
    const alice = on.world.as('alice');
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    await page.goto('/webhooks');
    await hands.open('Inbox');
    await hands.choose(page.getByRole('radio', { name: 'Unread' }));
    await page.waitForURL(/unread/);
    await hands.type(page.getByRole('textbox', { name: 'Repository' }), 'acme/bert');
    await page.keyboard.press('Enter');
    await page.getByText('4 in all').waitFor();
    if (phone) expect(await width()).toBe(wide);

    await hands.press(page.getByRole('checkbox', { name: 'Select Fine-tuning on a single GPU' }));
    await hands.press(page.getByRole('button', { name: 'Mark as read' }));
    await page.getByText('1 changed').waitFor();
    await page.getByRole('link', { name: 'Fine-tuning on a single GPU' }).waitFor({ state: 'detached' });
    await hands.press(page.getByRole('checkbox', { name: 'Select Add evaluation results' }));
    await hands.press(page.getByRole('button', { name: 'Done' }));
    await page.getByRole('link', { name: 'Add evaluation results' }).waitFor({ state: 'detached' });
    await until(
      () => getNotificationPage(alice),
      ({ count }) => count.unread === 4 && count.all === 5,
    );

    await hands.choose(page.getByRole('radio', { name: 'All' }));
    await hands.press(page.getByRole('link', { name: 'Fine-tuning on a single GPU' }));
    await page.getByRole('heading', { name: 'Fine-tuning on a single GPU' }).waitFor();
    await hands.type(page.getByRole('textbox', { name: 'Answer' }), 'By hand');
    await hands.press(page.getByRole('button', { name: 'Comment', exact: true }));
    await page.getByRole('article').filter({ hasText: 'By hand' }).waitFor();
    if (phone) expect(await width()).toBe(wide);
    await markNotifications({ ...alice, applyToAll: true });
  });

  test('a user creates a webhook, looks at its activity and replays a delivery', async () => {
    await using receiver = await startReceiver();
    const { visitor, page, hands } = await come();
    await using _visitor = visitor;
    const alice = on.world.as('alice');
    await page.goto('/inbox');
    await hands.open('Webhooks');
    await hands.press(page.getByRole('link', { name: 'New webhook' }));
    await hands.type(page.getByRole('textbox', { name: 'Payload URL' }), receiver.url);
    await hands.type(page.getByRole('combobox', { name: 'Add something to watch' }), 'acme');
    await hands.take(page.getByRole('option', { name: 'org: acme', exact: true }));
    await page.getByRole('list', { name: 'Watched' }).getByText('org: acme').waitFor();
    await hands.press(page.getByRole('button', { name: 'Create webhook' }));
    await page.getByRole('heading', { name: receiver.url }).waitFor();

    await createDiscussion({ ...on.world.as('bob'), ...BERT, title: 'Sent once', description: 'And once more.' });
    await until(
      () => listWebhooks(alice),
      (all) => all.some(({ url, lastTriggerAt }) => url === receiver.url && lastTriggerAt !== undefined),
    );
    await hands.open('Webhooks');
    await hands.press(page.getByRole('link', { name: receiver.url }));
    await hands.press(page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first());
    await page.getByRole('heading', { name: 'Payload' }).waitFor();
    if (phone) await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(wide);
    await hands.press(page.getByRole('button', { name: 'Replay' }));
    await page.getByText('The receiver answered 200').waitFor();
    for (const { id: webhookId, url } of await listWebhooks(alice))
      if (url === receiver.url) await deleteWebhook({ ...alice, webhookId });
  });
});

describe.skipIf(noBrowser)('with a pointer', () => {
  const on = stage(startFilledWorld);

  test('a row stays legible under it, in light and dark; on a phone the cells of webhooks stand below each other', async () => {
    await uploadFiles({
      ...on.world.as('alice'),
      ...BERT,
      summary: 'Add a card',
      files: [{ path: 'README.md', content: '# Bert' }],
    });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    for (const [path, role, name] of ROWS) {
      await page.goto(path);
      const rows = page.getByRole(role, { name }).getByRole(role === 'list' ? 'listitem' : 'row');
      await rows.last().hover();
      await expectAccessible(page);
    }
    await page.setViewportSize(PHONE);
    await page.goto('/webhooks');
    const row = page.getByRole('table', { name: 'Webhooks' }).locator('tbody').getByRole('row').first();
    const title = await row.getByRole('link').boundingBox();
    const state = await row.getByText('enabled').boundingBox();
    expect(state?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
    expect(await row.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(complaints).toEqual([]);
  });
});
