import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiscussion } from '@moonbase/client/discussions';
import { updateQuota } from '@moonbase/client/quotas';
import { createRepo } from '@moonbase/client/repositories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { setAside } from './dead-letters.ts';
import { drop } from './drop.ts';
import { givePassword, passwordOf, signIn } from './people.ts';
import { stage } from './stage.ts';
import { person, startFilledWorld, startReceiver, startWorld, tokenOf } from './world.ts';

/** The time in which a suspended user leaves an open page. */
const MAX_LEAVING_MS = 2000;

const open = (page: Page, entry: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

describe.skipIf(noBrowser)('the journey of a newcomer', () => {
  const on = stage(startWorld);

  test('without a terminal: from the printed link to a pull request that is answered', async () => {
    await using receiver = await startReceiver();
    await using files = await writeThree();
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto(await on.world.setupLink());
    await page.getByRole('textbox', { name: 'User name' }).fill('ada');
    await page.getByLabel('New password').fill(passwordOf('ada'));
    await page.keyboard.press('Enter');
    const steps = page.getByRole('region', { name: 'First steps' });

    await steps.getByRole('link', { name: 'Create an organization' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('moon-lab');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await heading(page, 'moon-lab');

    await open(page, 'Inbox');
    await steps.getByRole('listitem').filter({ hasText: 'Create an organization' }).getByText('Done').waitFor();
    await steps.getByRole('link', { name: 'Create a repository' }).click();
    await page.getByRole('combobox', { name: 'Owner' }).click();
    await page.getByRole('option', { name: 'moon-lab' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('craters');
    await page.getByRole('button', { name: 'Create repository' }).click();
    await page.waitForURL('**/moon-lab/craters');

    await page.getByRole('link', { name: 'Upload' }).click();
    await drop(page, files.paths);
    await page.getByText('weights.safetensors, 50.0 MB').waitFor();
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await heading(page, 'Craters of the moon');

    await open(page, 'Inbox');
    await steps.getByRole('link', { name: 'Create a webhook' }).click();
    await page.getByRole('textbox', { name: 'Payload URL' }).fill(receiver.url);
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('moon-lab');
    await page.getByRole('option', { name: 'org: moon-lab', exact: true }).click();
    await page.getByRole('button', { name: 'Generate a secret' }).click();
    const secret = await page.getByRole('status').filter({ hasText: 'not shown again' }).locator('pre').innerText();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await heading(page, receiver.url);

    await page.goto('/moon-lab/craters/blob/main/config.json');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Content' }).fill('{ "layers": 4 }\n');
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.waitForURL(/\/blob\//);
    await expect.poll(() => receiver.secrets).toEqual([secret]);

    await open(page, 'Webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`curl -X POST '${receiver.url}'`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The receiver answered 200').waitFor();
    expect(receiver.secrets).toEqual([secret, secret]);

    await open(page, 'Inbox');
    await steps.getByRole('link', { name: 'Invite people' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'User name' }).fill('ben');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    const link = await page.getByRole('status').locator('pre').filter({ hasText: '/join/' }).innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await open(page, 'Inbox');
    await page.getByText('All done').waitFor();
    await steps.waitFor({ state: 'detached' });

    await using colleague = await on.visit();
    const ben = colleague.page;
    await ben.goto(link.trim());
    await ben.getByLabel('New password').fill(passwordOf('ben'));
    await ben.keyboard.press('Enter');
    await ben.getByRole('button', { name: 'Account' }).click();
    await ben.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(ben, 'ben');
    await heading(ben, 'Inbox');
    await ben.goto('/moon-lab/craters/edit/main/config.json');
    await ben.getByRole('textbox', { name: 'Content' }).fill('{ "layers": 6 }\n');
    await ben.getByRole('textbox', { name: 'Commit message' }).fill('Six layers');
    await ben.getByRole('button', { name: 'Commit' }).click();
    await heading(ben, 'Six layers');

    await page.getByRole('link', { name: 'Six layers' }).click();
    await page.getByRole('textbox', { name: 'Answer' }).fill('Why six?');
    await page.keyboard.press('Control+Enter');
    await ben.getByRole('article').filter({ hasText: 'Why six?' }).waitFor();
    await open(ben, 'Inbox');
    await ben.getByRole('link', { name: 'Six layers' }).click();
    await ben.getByRole('textbox', { name: 'Answer' }).fill('Because of the seas');
    await ben.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Because of the seas' }).waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('ada changed the status to merged').waitFor();
    for (const each of [page, ben]) {
      await open(each, 'Inbox');
      await each.getByRole('link', { name: 'Six layers' }).waitFor();
    }
    expect([...complaints, ...colleague.complaints]).toEqual([]);
  });
});

interface Files extends AsyncDisposable {
  readonly paths: readonly string[];
}

/** Writes a README, a small file and one of 50 MB into a folder of their own. */
const writeThree = (): Promise<Files> =>
  writeFiles({
    'README.md': '# Craters of the moon\n\nWhere they are, and how deep.\n',
    'config.json': '{ "layers": 2 }\n',
    'weights.safetensors': Buffer.alloc(50_000_000, 'moon'),
  });

async function writeFiles(contents: Readonly<Record<string, string | Buffer>>): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-journey-'));
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);
  return {
    paths: Object.keys(contents).map((name) => join(folder, name)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

describe.skipIf(noBrowser)('the journey of an operator', () => {
  const on = stage(startFilledWorld);

  test('a receiver dies and returns, a user is suspended, a dead letter is retried', async () => {
    const { world } = on;
    await world.apply({ users: [{ name: 'alice', admin: true }, person('mallory')] });
    await givePassword(world, 'alice');
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/webhooks');
    await signIn(page, 'alice');
    const row = page.getByRole('row').filter({ hasText: world.receiver.url });
    await row.waitFor();

    world.receiver.status = 500;
    const bob = { ...world.as('bob'), type: 'model', repo: 'acme/bert' } as const;
    for (const title of ['It is dark', 'Nobody hears'])
      await createDiscussion({ ...bob, title, description: 'Is anybody there?' });
    await row.getByText('failing', { exact: true }).waitFor();
    await page.getByTitle(/\d failing or suspended/).waitFor();
    await page.getByRole('link', { name: world.receiver.url }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Every attempt since \d\d:\d\d failed/ })
      .waitFor();
    await open(page, 'Administration');
    await page.getByText('Failing: 1 webhook').waitFor();

    await open(page, 'Webhooks');
    const dialog = page.getByRole('dialog');
    const manage = async (act: string) => {
      await page.getByRole('button', { name: 'Manage several' }).click();
      await dialog.getByRole('checkbox', { name: world.receiver.url }).check();
      await dialog.getByRole('button', { name: act, exact: true }).click();
      await dialog.getByRole('button', { name: `${act} 1` }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await manage('Disable');
    world.receiver.status = 200;
    await manage('Enable');
    await manage('Replay failed');
    await row.getByText('failing', { exact: true }).waitFor({ state: 'detached' });

    await using suspended = await on.visit({ token: tokenOf('mallory') });
    await suspended.page.goto('/inbox');
    await heading(suspended.page, 'Inbox');
    await page.goto('/admin/users/mallory');
    await page.getByRole('button', { name: 'Disable mallory' }).click();
    const disabledAt = performance.now();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await suspended.page.getByText('Your session has ended. Sign in again.').waitFor();
    expect(performance.now() - disabledAt).toBeLessThanOrEqual(MAX_LEAVING_MS);

    setAside(world, 'webhooks.purge');
    await page.goto('/admin/dead-letters');
    await page.getByRole('button', { name: 'Retry webhooks.purge' }).click();
    await page.getByText('No dead letters').waitFor();
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Audit log' }).click();
    const events = page.getByRole('list', { name: 'Events' });
    for (const message of ['Retried a dead letter of the queue tasks', 'Disabled the user mallory'])
      await events.getByText(message).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an upload is refused because a quota is used up, and passes once the operator has raised it', async () => {
    const { world } = on;
    await createRepo({ ...world.as('carol'), repo: 'carol/craters' });
    await updateQuota({ ...world.admin, name: 'carol', storageGib: 0.001 });
    await using files = await writeFiles({ 'weights.safetensors': randomBytes(2 * 1024 ** 2) });
    await using uploader = await on.visit({ token: tokenOf('carol') });
    const carol = uploader.page;
    await carol.goto('/carol/craters/upload/main');
    await drop(carol, files.paths);
    await carol.getByText('weights.safetensors, 2.1 MB').waitFor();
    await carol.getByRole('button', { name: 'Commit' }).click();
    const refusal =
      'carol may have 0.001 GiB of large files: 0 bytes are used, and this upload would add 2.00 MiB more';
    await carol.getByRole('alert').filter({ hasText: refusal }).waitFor();

    await using visitor = await on.visit({ token: world.admin.accessToken });
    const { page, complaints } = visitor;
    await page.goto('/admin/users/carol');
    const storage = page.getByRole('region', { name: 'Quota: Large files' });
    await storage.getByText('0 of 0.001 GiB').waitFor();
    await storage.getByRole('textbox', { name: 'GiB' }).fill('0.002');
    await storage.getByRole('button', { name: 'Save quota' }).click();
    await storage.getByText('0 of 0.002 GiB').waitFor();

    await carol.getByRole('button', { name: 'Commit' }).click();
    await carol.getByRole('link', { name: 'weights.safetensors' }).waitFor();
    await carol.goto('/settings/quotas');
    await carol.getByText('0.00195 of 0.002 GiB').waitFor();
    await carol.getByRole('status').filter({ hasText: 'The quota is almost used up.' }).waitFor();
    await page.goto('/admin/audit-log');
    await page.getByRole('list', { name: 'Events' }).getByText('Set the storage quota of carol to 0.002 GiB').waitFor();
    expect(complaints).toEqual([]);
  });
});
