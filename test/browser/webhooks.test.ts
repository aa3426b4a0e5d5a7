import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, deleteWebhook, getDeliveryPage, getWebhook, listWebhooks } from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { PHONE } from './visitor.ts';
import { startFilledWorld, startReceiver, tokenOf, until } from './world.ts';

describe.skipIf(noBrowser)('webhooks', () => {
  const on = stage(startFilledWorld);
  const asAlice = () => on.visit({ token: tokenOf('alice') });

  test('are created with a form that shows errors while it is filled in', async () => {
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    await using receiver = await startReceiver();
    await page.goto('/webhooks');
    await page.getByRole('link', { name: 'New webhook' }).click();
    const address = page.getByRole('textbox', { name: 'Payload URL' });
    await address.fill('example.com/hook');
    await address.blur();
    await page.getByText('must begin with https:// or http://').waitFor();
    await address.fill(receiver.url);
    await page.getByText('must begin with https:// or http://').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('must have at least one').waitFor();

    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('acme/be');
    await page.getByRole('option', { name: 'model: acme/bert', exact: true }).click();
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('acme/soon');
    await page.getByRole('option', { name: 'model: acme/soon (does not exist yet)' }).click();
    await page.getByRole('button', { name: 'Remove model: acme/soon' }).click();
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('alice');
    await page.getByRole('option', { name: 'user: alice' }).click();
    await expect
      .poll(() => page.getByRole('list', { name: 'Watched' }).getByRole('listitem').allTextContents())
      .toEqual(['model: acme/bert', 'user: alice']);
    await page.getByRole('checkbox', { name: /Discussions/ }).uncheck();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    const [webhook] = (await listWebhooks(on.world.as('alice'))).filter(({ url }) => url === receiver.url);
    expect(webhook).toMatchObject({ domains: ['repo'], hasSecret: false });
    expect(webhook!.watched.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
      'model acme/bert',
      'user alice',
    ]);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Secret' }).fill('hush');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('signed with a secret').waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New secret').fill('Verschwiegenheit ü');
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'ASCII' }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('New secret').fill('hush hush');
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('menuitem', { name: 'discussion create' }).click();
    await page.getByText('The receiver answered 200').waitFor();
    expect(receiver.secrets.at(-1)).toBe('hush hush');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await page.getByRole('link', { name: receiver.url }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('start jobs, too', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/webhooks/new');
    await page.getByText('Start a job').click();
    await page.getByRole('textbox', { name: 'Image' }).fill('python:3.12');
    await page.getByRole('textbox', { name: 'Command' }).fill(`python -c "print('it ran')"`);
    await page.getByRole('textbox', { name: 'Environment' }).fill('GREETING=hello world\nEMPTY=');
    await page.getByRole('textbox', { name: 'Attempts' }).fill('3');
    await page.getByRole('textbox', { name: 'Labels' }).fill('team=moon');
    await page.getByRole('textbox', { name: 'Volumes' }).fill('folder acme/letters /data');
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('acme');
    await page.getByRole('option', { name: 'org: acme', exact: true }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Volumes' }).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('textbox', { name: 'Volumes' }).fill('dataset acme/letters /data ro');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Job: python:3.12' }).waitFor();
    const webhook = (await listWebhooks(on.world.as('alice'))).find(({ job }) => job !== undefined);
    expect(webhook?.job).toMatchObject({
      dockerImage: 'python:3.12',
      command: ['python', '-c', "print('it ran')"],
      environment: { GREETING: 'hello world', EMPTY: '' },
      labels: { team: 'moon' },
    });
    // Fields that the form does not show keep their values; the shown ones change.
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Labels' }).fill('team=sun');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Job: python:3.12' }).waitFor();
    const { webhook: saved } = await getWebhook({ ...on.world.as('alice'), webhookId: webhook?.id ?? '' });
    expect(saved.job).toMatchObject({ command: ['python', '-c', "print('it ran')"], labels: { team: 'sun' } });
  });

  test('show refusals of the hub that the form did not foresee', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/webhooks/new');
    await page.getByRole('textbox', { name: 'Payload URL' }).fill('https://ada:secret@example.com/hook');
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('acme/bert');
    await page.getByRole('option', { name: 'model: acme/bert' }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText(/must not have .*(credentials|password)|user name/i).waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Payload URL' }).getAttribute('aria-invalid'))
      .toBe('true');
    expect(page.url()).toBe(`${on.world.url}/webhooks/new`);
  });

  test('show their deliveries by outcome, one in full, and replay it', async () => {
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    await page.goto('/webhooks');
    await page.getByRole('link', { name: on.world.receiver.url }).click();
    await page.getByRole('img', { name: /Attempts of 24 hours: \d+ delivered, 0 retrying, 0 failed/ }).waitFor();
    const hour = page.getByRole('slider', { name: 'Hour' });
    const value = () => hour.getAttribute('aria-valuetext');
    await expect.poll(value).toMatch(/^\d\d:\d\d: (none|\d+ delivered)$/);
    const latest = await value();
    await hour.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^\d\d:\d\d: (none|\d+ delivered)$/).waitFor();
    expect(await value()).not.toBe(latest);
    await page.keyboard.press('Home');
    expect(await value()).toContain(': none');
    await hour.click({ position: { x: ((await hour.boundingBox())?.width ?? 0) - 2, y: 50 } });
    expect(await value()).toBe(latest);
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row');
    await rows.first().waitFor();
    const all = await rows.count();
    await page.goto(`${page.url()}?scope=discussion.comment`);
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    await until(
      () => rows.count(),
      (count) => count === 3,
    );
    expect(all).toBeGreaterThan(3);
    await page.getByRole('button', { name: 'Replay these' }).click();
    await page.getByText('3 deliveries are sent again').waitFor();
    await page.getByRole('button', { name: 'Replay 3' }).click();
    await page.getByText('3 of 3 were put into the queue.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await until(
      () => rows.count(),
      (count) => count === 6,
    );

    await rows.first().getByRole('link').click();
    await page.getByRole('region', { name: 'Attempts' }).getByText('200', { exact: true }).waitFor();
    await page.getByText('Response headers').click();
    await page.getByRole('table', { name: 'Headers of response 1' }).getByRole('cell', { name: 'tests' }).waitFor();
    await expect.poll(() => page.locator('.json-key').filter({ hasText: '"comment"' }).count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The receiver answered 200').waitFor();
    expect(complaints).toEqual([]);
  });

  test('and their deliveries and attempts are tables with headings, which fit a phone', async () => {
    await using receiver = await startReceiver();
    receiver.status = 500;
    const alice = on.world.as('alice');
    const { webhook } = await createWebhook({
      ...alice,
      webhook: { url: receiver.url, watched: [{ type: 'org', name: 'acme' }], domains: ['repo'], secret: 'hush' },
    });
    await createRepo({ ...alice, repo: 'acme/tables' });
    const one = { ...alice, webhookId: webhook.id };
    const ended = await until(
      () => getDeliveryPage(one),
      ({ entries }) => (entries[0]?.attempts ?? 0) > 1,
    );
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    const headings = (table: string) =>
      page.getByRole('table', { name: table }).locator('thead').getByRole('columnheader').allTextContents();
    await page.goto('/webhooks');
    const row = page.getByRole('row').filter({ hasText: receiver.url });
    await row.getByText('500').waitFor();
    expect(await headings('Webhooks')).toEqual([
      ...['Webhook', 'Watched', 'State', 'Last attempt', 'Delivered in 24 hours', 'Median response', 'Last event'],
    ]);
    await row.getByRole('link').click();
    await page.getByRole('row').filter({ hasText: 'acme/tables' }).getByText('retrying').waitFor();
    expect(await headings('Deliveries')).toEqual([
      ...['Event', 'Outcome', 'Repository', 'Result', 'Duration', 'Attempts', 'Created'],
    ]);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText(receiver.url).first().waitFor();
    expect(await headings('Attempts')).toEqual(['Attempt', 'Result', 'Duration', 'Sent', 'Sent to', 'Actions']);
    const sent = page.getByRole('table', { name: 'Headers of request 1' });
    expect(await sent.count()).toBe(0);
    await page.getByText('Request headers').first().click();
    await sent.getByRole('cell', { name: ended.entries[0]?.id ?? 'no id' }).waitFor();
    await page.getByRole('table', { name: 'Headers of request 2' }).getByText('webhook-timestamp').waitFor();
    expect(await attempts.innerText()).not.toContain('hush');
    expect(await page.getByRole('region', { name: 'Payload' }).count()).toBe(1);

    await page.setViewportSize(PHONE);
    const [first, second] = [attempts.getByText(receiver.url).first(), attempts.getByText('500').first()];
    for (const shown of [first, second, sent]) {
      const { x = 0, width = PHONE.width } = (await shown.boundingBox()) ?? {};
      expect([x >= 0, x + width <= PHONE.width]).toEqual([true, true]);
    }
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await deleteWebhook(one);
    expect(complaints).toEqual([]);
  });

  test('are tested, and enabled again after a suspension whose reason is shown', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    const one = { ...on.world.as('alice'), webhookId: on.world.webhookId };
    await page.goto(`/webhooks/${on.world.webhookId}`);
    on.world.receiver.status = 503;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('menuitem', { name: 'discussion create' }).click();
    await page.getByRole('alert').filter({ hasText: 'The receiver answered 503' }).waitFor();

    // After 410 Gone the hub suspends without waiting for more failures.
    on.world.receiver.status = 410;
    await createRepo({ ...on.world.as('alice'), repo: 'acme/gone' });
    await until(
      () => getWebhook(one),
      ({ webhook }) => webhook.disabled === 'suspended-after-failure',
    );
    await page.goto('/webhooks');
    await page.getByRole('row').filter({ hasText: on.world.receiver.url }).getByText('suspended').waitFor();
    await page.getByRole('link', { name: on.world.receiver.url }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Suspended after failures.*410 Gone at \d\d:\d\d/ })
      .waitFor();
    on.world.receiver.status = 200;
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('alert').filter({ hasText: 'Suspended' }).waitFor({ state: 'detached' });
    expect((await getWebhook(one)).webhook.disabled).toBe(false);
    await createRepo({ ...on.world.as('alice'), repo: 'acme/back' });
    await until(
      () => getDeliveryPage({ ...one, status: 'delivered' }),
      ({ entries }) => entries.some(({ repo }) => repo.name === 'acme/back'),
    );
  });

  test('say within a minute that they fail: in the list, on the page and in the navigation', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    on.world.receiver.status = 500;
    await createRepo({ ...on.world.as('alice'), repo: 'acme/failing' });
    await page.goto('/webhooks');
    const row = page.getByRole('row').filter({ hasText: on.world.receiver.url });
    await row.getByText('failing', { exact: true }).waitFor({ timeout: 30_000 });
    await page.getByTitle(/\d failing or suspended/).waitFor();
    await page.getByRole('link', { name: on.world.receiver.url }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Every attempt since \d\d:\d\d failed.*ended with 500/ })
      .waitFor();
    await page.getByText('Delivered in 24 hours').waitFor();
    await page.goto(`${page.url()}?status=retrying`);
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row');
    await rows.filter({ hasText: 'acme/failing' }).getByText('retrying').first().waitFor();
    await expectAccessible(page);
    // One success ends the failure.
    on.world.receiver.status = 200;
    await createRepo({ ...on.world.as('alice'), repo: 'acme/well' });
    await page.getByRole('alert').filter({ hasText: 'Failing' }).waitFor({ state: 'detached', timeout: 60_000 });
  });

  test('get a generated secret, show samples of events, and an attempt as a command of curl without that secret', async () => {
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    await using receiver = await startReceiver();
    await page.goto('/webhooks/new');
    await page.getByRole('textbox', { name: 'Payload URL' }).fill(receiver.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('Chat room');
    await page.getByRole('textbox', { name: 'Description' }).fill('Tells the chat');
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('acme/bert');
    await page.getByRole('option', { name: 'model: acme/bert', exact: true }).click();
    await page.getByRole('button', { name: 'Generate a secret' }).click();
    const shown = page.getByRole('status').filter({ hasText: 'not shown again' });
    const secret = await shown.locator('pre').innerText();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    await page.getByText('Events and sample payloads').click();
    await page.getByRole('combobox', { name: 'Event' }).selectOption('discussion create');
    await page.getByText('A sample discussion').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Chat room' }).waitFor();
    await page.getByText('Tells the chat').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('menuitem', { name: 'repo create' }).click();
    await page.getByText('The receiver answered 200').waitFor();
    expect(receiver.secrets.at(-1)).toBe(secret);
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`curl -X POST '${receiver.url}'`);
    expect(command).not.toContain(secret);
    expect(complaints).toEqual([]);
  });

  test('are disabled, enabled and replayed together, after a confirmation that names them', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    const one = { ...on.world.as('alice'), webhookId: on.world.webhookId };
    await page.goto('/webhooks');
    const dialog = page.getByRole('dialog');
    const choose = async (act: string) => {
      await page.getByRole('button', { name: 'Manage several' }).click();
      await dialog.getByRole('checkbox', { name: on.world.receiver.url }).check();
      await dialog.getByRole('button', { name: act, exact: true }).click();
      await dialog.getByRole('listitem').filter({ hasText: on.world.receiver.url }).waitFor();
    };
    await choose('Disable');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Disable 1' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await getWebhook(one)).webhook.disabled).toBe(true);
    await choose('Enable');
    await dialog.getByRole('button', { name: 'Enable 1' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await getWebhook(one)).webhook.disabled).toBe(false);
    await choose('Replay failed');
    await dialog.getByText(/: \d+ failed/).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  test('of others are not found, and no content is shown while the hub is away', async () => {
    await using visitor = await on.visit({ token: tokenOf('bob') });
    const { page } = visitor;
    await page.goto(`/webhooks/${on.world.webhookId}`);
    await page.getByText('Not found').waitFor();
    await page.route('**/api/settings/webhooks', (route) => route.abort());
    await page.goto('/webhooks');
    await page.getByRole('alert').filter({ hasText: 'The hub does not answer' }).waitFor();
    await page.unroute('**/api/settings/webhooks');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
