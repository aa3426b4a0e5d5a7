import { createDiscussion } from '@moonbase/client/discussions';
import { deleteOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { getDeliveryPage } from '@moonbase/client/webhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { setAside } from './dead-letters.ts';
import { stage } from './stage.ts';
import { person, startFilledWorld, tokenOf, until } from './world.ts';

describe.skipIf(noBrowser)('the administration', () => {
  const on = stage(startFilledWorld);
  const asAdmin = () => on.visit({ token: on.world.admin.accessToken });

  beforeAll(async () => {
    const { world } = on;
    await world.apply({
      users: [person('dora', 'Dora Novak')],
      organizations: [{ name: 'closed-lab', fullname: 'Closed Lab', members: [{ user: 'dora', role: 'admin' }] }],
    });
    await deleteOrganization({ ...world.as('dora'), name: 'closed-lab' });
    world.receiver.status = 500;
    await createDiscussion({
      ...world.as('bob'),
      type: 'model',
      repo: 'acme/bert',
      title: 'Lost',
      description: 'On its way.',
    });
    await until(
      () => getDeliveryPage({ ...world.as('alice'), webhookId: world.webhookId }),
      ({ entries }) => entries.some(({ responseStatus }) => responseStatus === 500),
    );
  });

  test('lists the users and searches them; the address of the page keeps the search', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Users' }).click();
    const users = page.getByRole('list', { name: 'Users' }).getByRole('listitem');
    await users.filter({ hasText: 'Alice Moreau' }).getByText('Last active').waitFor();
    await expect.poll(() => users.filter({ hasText: 'site administrator' }).count()).toBe(1);
    await page.getByRole('textbox', { name: 'Search users' }).fill('ADEYEMI');
    await users.filter({ hasText: 'Alice Moreau' }).waitFor({ state: 'detached' });
    await expect.poll(() => users.allInnerTexts()).toEqual([expect.stringContaining('carol')]);
    await page.waitForURL('**/admin/users?search=ADEYEMI');
    await page.reload();
    await users.filter({ hasText: 'Carol Adeyemi' }).waitFor();
    await expect.poll(() => users.count()).toBe(1);
    await page.getByRole('textbox', { name: 'Search users' }).fill('nobody like that');
    await page.getByText('Nothing matches').waitFor();
    expect(complaints).toEqual([]);
  });

  test('is for site administrators: everybody else finds no link to it and sees none of its content', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    for (const path of [
      '/admin',
      '/admin/users',
      '/admin/organizations',
      '/admin/dead-letters',
      '/admin/settings',
      '/admin/audit-log',
    ]) {
      await page.goto(path);
      await page.getByText('No permission').waitFor();
      await page.getByText('Only site administrators may do this').waitFor();
      expect([path, await page.locator('main li').count()]).toEqual([path, 0]);
    }
    // The name appears once the console knows the user and has decided about the menu.
    await page
      .getByRole('button', { name: /Account/ })
      .getByText('alice')
      .waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  });

  test('disables a user, which signs out the open tab of the user, and enables the user again', async () => {
    await using visitor = await asAdmin();
    await using other = await on.visit({ token: tokenOf('dora') });
    await other.page.goto('/webhooks');
    await other.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    const { page, complaints } = visitor;
    await page.goto('/admin/users');
    const dora = page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: 'Dora Novak' });
    const confirm = async (action: string) => {
      await page.getByRole('button', { name: `${action} dora` }).click();
      await page.getByRole('dialog').getByRole('button', { name: action }).click();
    };
    await confirm('Disable');
    await dora.getByText('disabled', { exact: true }).waitFor();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await confirm('Enable');
    await dora.getByText('disabled', { exact: true }).waitFor({ state: 'detached' });
    await whoAmI(on.world.as('dora'));
    // Administrators cannot disable themselves by a slip of the mouse.
    await expect.poll(() => page.getByRole('button', { name: 'Disable admin' }).count()).toBe(0);
    await confirm('Delete');
    await dora.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('retries and discards dead letters', async () => {
    for (const kind of ['webhooks.purge', 'webhooks.damaged']) setAside(on.world, kind);
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin');
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Dead letters' }).click();
    const letters = page.getByRole('list', { name: 'Dead letters' }).getByRole('listitem');
    await letters.filter({ hasText: 'webhooks.damaged' }).getByText('Error: <b>no</b>').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Retry webhooks.purge' }).click();
    await letters.filter({ hasText: 'webhooks.purge' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard webhooks.damaged' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No dead letters').waitFor();
    expect(complaints).toEqual([]);
  });

  test('lists the organizations, with links to those that exist', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin/organizations');
    const row = (text: string) =>
      page.getByRole('list', { name: 'Organizations' }).getByRole('listitem').filter({ hasText: text });
    await row('Acme Labs').getByText('acme, 3 members, 2 repositories').waitFor();
    await row('Closed Lab').getByText('deleted').waitFor();
    await expect.poll(() => row('Closed Lab').getByRole('link').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search organizations' }).fill('acme');
    await row('Closed Lab').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Acme Labs' }).click();
    await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('gives an organization a quota, and asks before one that is used up at once', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin/organizations/acme');
    const section = page.getByRole('region', { name: 'Large files' });
    await section.getByText('0 GiB, no limit').waitFor();
    const choose = async (kind: string) => {
      await section.getByRole('combobox', { name: 'Quota' }).click();
      await page.getByRole('option', { name: kind }).click();
    };
    const [field, save] = [
      section.getByRole('textbox', { name: 'GiB' }),
      section.getByRole('button', { name: 'Save quota' }),
    ];
    await choose('Own quota');
    await field.fill('a few');
    expect(await save.isDisabled()).toBe(true);
    await field.fill('2.5');
    await save.click();
    await section.getByText('0 of 2.5 GiB').waitFor();
    await field.fill('0');
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Set the quota of acme to 0 GiB?' });
    await dialog.getByRole('button', { name: 'Set quota' }).click();
    await section.getByRole('status').filter({ hasText: 'The quota is used up' }).waitFor();
    await choose('Default: no limit');
    await save.click();
    await section.getByText('0 GiB, no limit').waitFor();
    expect(complaints).toEqual([]);
  });

  test('gives a user quotas of what is counted, and shows what is kept for how long', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin/users/bob');
    const section = page.getByRole('region', { name: 'Discussions in 24 hours' });
    await section.getByText(/, no limit$/).waitFor();
    await section.getByRole('combobox', { name: 'Quota' }).click();
    await page.getByRole('option', { name: 'Own quota' }).click();
    await section.getByRole('textbox', { name: 'Discussions' }).fill('5000');
    await section.getByRole('button', { name: 'Save quota' }).click();
    await section.getByText(/ of 5,000$/).waitFor();
    const webhooks = page.getByRole('region', { name: 'Quota: Webhooks' });
    await webhooks.getByRole('combobox', { name: 'Quota' }).click();
    expect(await page.getByRole('option', { name: 'No limit' }).count()).toBe(0);
    await page.goto('/admin/retention');
    await page.getByText('MOONBASE_WEBHOOK_LOG_DAYS=30').first().waitFor();
    await page.getByRole('heading', { name: 'Sign-in history' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows the settings in force, group by group, and of secrets only whether they are set', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin/retention');
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/admin/settings');
    const webhooks = page.getByRole('table', { name: 'Webhooks' });
    const days = webhooks.getByRole('row').filter({ hasText: 'MOONBASE_WEBHOOK_LOG_DAYS' });
    await days.getByText('Days for which the delivery log is kept').waitFor();
    await days.getByText('30', { exact: true }).waitFor();
    const token = page.getByRole('row').filter({ hasText: 'MOONBASE_ADMIN_TOKEN' });
    await token.getByText('set', { exact: true }).waitFor();
    const secret = page.getByRole('row').filter({ hasText: 'MOONBASE_OIDC_CLIENT_SECRET' });
    await secret.getByText('not set', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(on.world.admin.accessToken);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test('says when a list cannot be loaded, and loads it on another attempt', async () => {
    await using visitor = await asAdmin();
    const { page } = visitor;
    await page.route('**/api/admin/organizations*', (route) =>
      route.fulfill({ status: 400, json: { error: 'Not today' } }),
    );
    await page.goto('/admin/organizations');
    await page.getByRole('alert').filter({ hasText: 'Not today' }).waitFor();
    await page.unroute('**/api/admin/organizations*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Acme Labs').waitFor();
  });

  test('shows the state of the hub: queues, the last day, failing receivers by origin', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin');
    const queues = page.getByRole('region', { name: 'Queues' }).getByRole('listitem');
    await queues.first().waitFor();
    expect((await queues.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      ...['deliveries', 'events', 'jobs', 'mails', 'mirrors', 'tasks'],
    ]);
    const chart = page.getByRole('img', { name: /^Attempts of 24 hours/ });
    await expect
      .poll(() => chart.getAttribute('aria-label'), { timeout: 8_000 })
      .toMatch(/: [1-9]\d* delivered, [1-9]\d* retrying/);
    const failing = page.getByRole('list', { name: 'Receivers that fail' }).getByRole('listitem');
    await failing.getByText('The receiver answered 500').waitFor();
    await expect.poll(() => failing.innerText()).toContain(new URL(on.world.receiver.url).origin);
    await expect.poll(() => page.locator('main').innerText()).not.toContain('/hook');
    expect(complaints).toEqual([]);
  });

  test('refreshes by itself, and nothing on the page moves', async () => {
    await using visitor = await asAdmin();
    const { page } = visitor;
    let asked = 0;
    await page.route('**/api/admin/status', async (route) => {
      const response = await route.fetch();
      const status = await response.json();
      asked += 1;
      for (const queue of asked > 1 ? status.queues : [])
        if (queue.name === 'deliveries') Object.assign(queue, { waiting: 10_000, overdueSeconds: 301.5 });
      await route.fulfill({ json: status });
    });
    await page.goto('/admin');
    const below = page.getByRole('heading', { name: 'Receivers that fail' });
    await page.getByRole('region', { name: 'Queues' }).waitFor();
    const before = await below.boundingBox();
    const deliveries = page.locator('[data-queue=deliveries]');
    await deliveries.getByText('10,000+').waitFor();
    await deliveries.getByText('overdue for 5 min').waitFor();
    expect(await below.boundingBox()).toEqual(before);
  });

  test('keeps showing the last state when the hub does not answer any more, and says so', async () => {
    await using visitor = await asAdmin();
    const { page } = visitor;
    await page.goto('/admin');
    await page.getByRole('region', { name: 'Queues' }).waitFor();
    await page.route('**/api/admin/status', (route) => route.fulfill({ status: 400, json: { error: 'Not now' } }));
    await page.getByRole('alert').filter({ hasText: 'Not now' }).waitFor();
    await page.getByRole('region', { name: 'Queues' }).waitFor();
  });
});
