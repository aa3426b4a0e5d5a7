import { readFile } from 'node:fs/promises';
import { getMcpSettings, getNotificationSettings } from '@moonbase/client/settings';
import { listMuted, listWatched } from '@moonbase/client/watching';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

describe.skipIf(noBrowser)('the settings', () => {
  const on = stage(startFilledWorld);
  const asAlice = () => on.visit({ token: tokenOf('alice') });
  const namesOf = async (list: AsyncIterable<{ name: string }>) => {
    const names: string[] = [];
    for await (const { name } of list) names.push(name);
    return names;
  };

  test('let users choose what they are told by mail and on the web', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/settings');
    await page.getByRole('switch', { name: 'Discussions you watch, email' }).uncheck({ force: true });
    const settings = await until(
      () => getNotificationSettings(on.world.as('alice')),
      ({ notifications }) => !notifications.discussions_watched,
    );
    expect(settings.notifications.web_discussions_watched).toBe(true);
    await page.reload();
    await page.getByRole('switch', { name: 'Discussions you watch, web' }).waitFor();
    await expect.poll(() => page.getByRole('switch', { name: 'Discussions you watch, email' }).isChecked()).toBe(false);
  });

  test('give users what the hub has about them, in one file', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/settings/sign-in');
    const section = page.getByRole('region', { name: 'Personal data' });
    const button = section.getByRole('button', { name: 'Download your data' });
    const error = 'An export of this user is running; try again in 30 s';
    await page.route('**/api/settings/export', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error } }),
    );
    await button.click();
    await section.getByRole('alert').filter({ hasText: error }).waitFor();
    await page.unroute('**/api/settings/export');
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    await section.getByRole('alert').waitFor({ state: 'detached' });
    expect(file.suggestedFilename()).toMatch(/^alice-[\d-]{10}\.ndjson$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ section: 'export', user: 'alice' });
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ section: 'end', items: lines.length - 2 });
  });

  test('are found at the addresses of the public hub', async () => {
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    for (const [address, path] of [
      ['notifications', '/settings'],
      ['account', '/settings/sign-in'],
      ['profile', '/alice'],
      ['webhooks', '/webhooks'],
      [`webhooks/${on.world.webhookId}`, `/webhooks/${on.world.webhookId}`],
      ['organizations', '/organizations'],
    ] as const) {
      await page.goto(`/settings/${address}`);
      await page.waitForURL(`**${path}`);
      await page.locator('h1').first().waitFor();
    }
    await page.goto('/settings/nothing');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('return to the stored state when the hub refuses a change', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.route('**/api/settings/notifications', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, json: { error: 'Not today' } })
        : route.fallback(),
    );
    await page.goto('/settings');
    const box = page.getByRole('switch', { name: 'Your papers, email' });
    await box.waitFor();
    await box.click({ force: true });
    await page.getByRole('alert').filter({ hasText: 'Not today' }).waitFor();
    await expect.poll(() => box.isChecked()).toBe(true);
  });

  test('let users watch and mute by name, and stop doing so', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/settings/watching');
    const watched = page.getByRole('region', { name: 'Watched' });
    await watched.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'user' }).click();
    await watched.getByRole('textbox', { name: 'Name or id' }).fill('bob');
    await page.keyboard.press('Enter');
    await watched.getByRole('button', { name: 'Remove bob' }).waitFor();
    await watched.getByRole('button', { name: 'Remove acme' }).click();
    await watched.getByRole('button', { name: 'Remove acme' }).waitFor({ state: 'detached' });
    expect(await namesOf(listWatched(on.world.as('alice')))).toEqual(['bob']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await watched.getByRole('button', { name: 'Remove acme' }).waitFor();
    expect((await namesOf(listWatched(on.world.as('alice')))).sort()).toEqual(['acme', 'bob']);
    const muted = page.getByRole('region', { name: 'Muted' });
    await muted.getByRole('textbox', { name: 'Name or id' }).fill('acme/bert');
    await muted.getByRole('button', { name: 'Add' }).click();
    await muted.getByRole('button', { name: 'Remove acme/bert' }).waitFor();
    expect(await namesOf(listMuted(on.world.as('alice')))).toEqual(['acme/bert']);
    await muted.getByRole('textbox', { name: 'Name or id' }).fill('acme/nothing');
    await muted.getByRole('button', { name: 'Add' }).click();
    await muted.getByText('Not found').waitFor();
  });

  test('let users choose MCP tools', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/settings/mcp');
    await page.getByRole('checkbox', { name: 'Run jobs' }).check();
    await until(
      () => getMcpSettings(on.world.as('alice')),
      ({ builtInTools }) => builtInTools.includes('hf_jobs'),
    );
    await page.getByRole('textbox', { name: 'Space' }).fill('acme/nothing');
    await page.keyboard.press('Enter');
    await page.getByText('Not found').waitFor();
  });

  test('let users claim a paper, which an administrator verifies', async () => {
    await on.world.apply({ papers: [{ id: '2401.01234', title: 'On moons', authors: [{ name: 'Alice Moreau' }] }] });
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/settings/papers');
    await page.getByRole('textbox', { name: 'Claim a paper' }).fill('2401.99999');
    await page.keyboard.press('Enter');
    await page.getByText('Not found').waitFor();
    await page.getByRole('textbox', { name: 'Claim a paper' }).fill('2401.01234');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Claims', exact: true }).getByText('requested').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Review' }).count()).toBe(0);

    await using other = await on.visit({ token: on.world.admin.accessToken });
    await other.page.goto('/settings/papers');
    await other.page.getByText('alice claims to be Alice Moreau').waitFor();
    await other.page.getByRole('button', { name: 'Verify' }).click();
    await other.page.getByText('Nothing to review').waitFor();
    await page.reload();
    await page.getByRole('list', { name: 'Claims', exact: true }).getByText('verified').waitFor();
  });
});
