import { join } from 'node:path';
import { createUserLink, signIn as signInByProgram } from '@moonbase/client/authentication';
import { whoAmI } from '@moonbase/client/profiles';
import Libsql from 'libsql';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { totpCode } from '../../packages/server/test/totp-code.ts';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { givePassword, passwordOf, readableBy, signIn } from './people.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { person, startWorld, tokenOf } from './world.ts';

const PASSWORD = 'nine loud magpies and a kite';

describe.skipIf(noBrowser)('people and their sign-in', () => {
  const on = stage(startWorld);
  beforeAll(() => on.world.apply({ users: [person('alice', 'Alice Moreau'), person('bob'), person('carol')] }));
  const asAdmin = () => on.visit({ token: on.world.admin.accessToken });
  /** Returns the link that a page shows once. */
  const linkOn = async (page: Page) => {
    const link = page.getByRole('status').locator('pre').filter({ hasText: '/join/' });
    return (await link.innerText()).trim();
  };
  const choosePassword = async (page: Page, password: string) => {
    await page.getByLabel('New password').fill(password);
    await page.keyboard.press('Enter');
  };
  const canSignIn = (name: string, password: string) =>
    signInByProgram({ hubUrl: on.world.url, name, password, retry: false }).then(
      () => true,
      () => false,
    );

  test('the first administrator sets up the hub with a link, which then stops working (row 32)', async () => {
    const { url } = await createUserLink({ ...on.world.admin, username: 'admin', purpose: 'setup' });
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(url);
    await page.getByRole('heading', { name: 'Set up Moonbase' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'User name' }).fill('ada');
    await choosePassword(page, PASSWORD);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Create an organization' }).waitFor();
    await expectAccessible(page);
    await steps.getByRole('button', { name: 'Dismiss' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('All done').waitFor();
    expect(await steps.count()).toBe(0);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('region', { name: 'Queues' }).waitFor();
    expect([await readableBy(page), ...urls].join()).not.toContain(PASSWORD);
    // Going back must not lead to the code.
    await page.goBack();
    await page.waitForURL('**/inbox');
    await page.goBack();
    expect(page.url()).not.toContain('/join/');
    await page.goto(url);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(complaints).toEqual([]);
    await on.world.apply({ users: [{ name: 'ada', admin: true }] });
  });

  test('a site administrator creates a user and a link, which scanners may open; the user chooses a password (row 26)', async () => {
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'User name' }).fill('alice');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('The name alice is taken').waitFor();
    await dialog.getByRole('textbox', { name: 'User name' }).fill('dora');
    await dialog.getByRole('textbox', { name: 'Full name' }).fill('Dora Novak');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('dora@example.com');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    const link = await linkOn(page);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('list', { name: 'Users' }).getByText('Dora Novak, dora@example.com').waitFor();

    const code = new URL(link).pathname.split('/').at(-1);
    for (const path of [link, `${on.world.url}/api/links/${code}`])
      for (const method of ['HEAD', 'GET']) expect((await fetch(path, { method })).status).toBe(200);
    await using invited = await on.visit();
    await invited.page.goto(link);
    await invited.page.getByRole('heading', { name: 'Welcome to Moonbase' }).waitFor();
    await invited.page.reload();
    await invited.page.getByText('15 characters or more').waitFor();
    const field = invited.page.getByLabel('New password');
    await expect.poll(() => field.getAttribute('autocomplete')).toBe('new-password');
    await expect.poll(() => field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await choosePassword(invited.page, 'short');
    await invited.page.getByText('must have 15 characters or more').waitFor();
    await choosePassword(invited.page, 'password dora password');
    await invited.page.getByText('The password is easily guessed').waitFor();
    await choosePassword(invited.page, PASSWORD);
    await invited.page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await invited.page.getByRole('button', { name: 'Account' }).getByText('dora').waitFor();
    expect(await canSignIn('dora@example.com', PASSWORD)).toBe(true);

    await invited.page.goto(link);
    await invited.page.getByText('It has been used, has expired or was replaced').waitFor();
    expect([...complaints, ...invited.complaints]).toEqual([]);
  });

  test('a reset link sets another password for its user alone, and ends every session of the user', async () => {
    await givePassword(on.world, 'alice');
    await using alice = await on.visit();
    await alice.page.goto('/inbox');
    await signIn(alice.page, 'alice');
    await alice.page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await using visitor = await asAdmin();
    const { page } = visitor;
    await page.goto('/admin/users?search=alice');
    await page.getByRole('link', { name: 'alice', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'alice' }).waitFor();
    await page.getByRole('button', { name: 'Reset link' }).click();
    const link = await linkOn(page);

    await using forgetful = await on.visit({ token: tokenOf('bob') });
    await forgetful.page.goto(link);
    await forgetful.page.getByText('From now on alice will be signed in here.').waitFor();
    const name = forgetful.page.getByRole('textbox', { name: 'User name' });
    expect([await name.inputValue(), await name.getAttribute('readonly')]).toEqual(['alice', '']);
    await choosePassword(forgetful.page, PASSWORD);
    await forgetful.page.getByRole('button', { name: 'Account' }).getByText('alice').waitFor();
    await alice.page.getByText('Your session has ended. Sign in again.').waitFor();
    expect(await canSignIn('alice', passwordOf('alice'))).toBe(false);
    expect(await canSignIn('alice', PASSWORD)).toBe(true);
  });

  test('users change their password, and repeat the old one if they signed in a while ago (row 33)', async () => {
    await givePassword(on.world, 'bob');
    await using visitor = await on.visit();
    await using other = await on.visit();
    for (const { page } of [visitor, other]) {
      await page.goto('/settings/sign-in');
      await signIn(page, 'bob');
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    }
    const { page, complaints } = visitor;
    const database = new Libsql(join(on.world.folder, 'moonbase.db'));
    database.exec('pragma busy_timeout = 20000; update sessions set strong_at = 0');
    database.close();
    const change = page.getByRole('button', { name: 'Change the password' });
    await page.getByLabel('New password').fill(PASSWORD);
    await expect.poll(() => page.getByLabel('Current password').count()).toBe(0);
    await change.click();
    const current = page.getByLabel('Current password');
    await current.fill('a guess of somebody else');
    await expect.poll(() => current.getAttribute('autocomplete')).toBe('current-password');
    const goOn = page.getByRole('button', { name: 'Sign in and go on' });
    await goOn.click();
    await page.getByText('This is not your current password.').waitFor();
    await expectAccessible(page);
    await current.fill(passwordOf('bob'));
    await goOn.click();
    await page.getByText('The password is changed.').waitFor();
    await other.page.getByText('Your session has ended. Sign in again.').waitFor();
    expect(await canSignIn('bob', PASSWORD)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('an authenticator is set up from a QR code, asked for at each sign-in, and removed (rows 33 and 34)', async () => {
    await on.world.apply({ users: [person('dana')] });
    await givePassword(on.world, 'dana');
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/settings/sign-in');
    await signIn(page, 'dana');
    const section = page.getByRole('region', { name: 'Second factor' });
    await section.getByRole('button', { name: 'Set up an authenticator' }).click();
    const picture = section.getByRole('img', { name: 'QR code for an authenticator' });
    await picture.waitFor();
    expect((await picture.locator('path').getAttribute('d'))?.length).toBeGreaterThan(2000);
    const secret = (await section.locator('code').innerText()).trim();
    const uri = `otpauth://totp/x?secret=${secret}&period=30`;
    const STEP = 30_000;
    const codeField = section.getByLabel('Code of the authenticator');
    await codeField.fill('000000');
    await page.keyboard.press('Enter');
    await section.getByText('is not the code that the authenticator shows now').waitFor();
    await expectAccessible(page);
    // Each code works once, so the test begins with the code of the previous 30 seconds and never waits.
    await codeField.fill(totpCode(uri, Date.now() - STEP));
    await page.keyboard.press('Enter');
    const codes = (await section.getByRole('status').locator('pre').innerText()).trim().split('\n');
    expect(codes).toHaveLength(10);
    await section.getByText('10 recovery codes are left.').waitFor();

    await using other = await on.visit();
    await other.page.goto('/inbox');
    await signIn(other.page, 'dana');
    const code = other.page.getByLabel('Code', { exact: true });
    await code.waitFor();
    await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code');
    await expect.poll(() => code.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await expectAccessible(other.page);
    await code.fill('000000');
    await other.page.keyboard.press('Enter');
    await other.page.getByText('This code is wrong, or was used before.').waitFor();
    await code.fill(totpCode(uri, Date.now()));
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(await readableBy(other.page)).not.toContain(secret);

    const database = new Libsql(join(on.world.folder, 'moonbase.db'));
    database.exec('pragma busy_timeout = 20000; update sessions set strong_at = 0');
    database.close();
    await section.getByRole('button', { name: 'Remove the second factor' }).click();
    await agree(page, 'Remove your second factor?', 'Remove');
    await section.getByLabel('Current password').fill(passwordOf('dana'));
    await page.keyboard.press('Enter');
    await section.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await section.getByText('Signing in takes the password alone.').waitFor();
    await other.page.getByText('Your session has ended. Sign in again.').waitFor();
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  test('users see where they are signed in, and end one session or all others', async () => {
    await givePassword(on.world, 'carol');
    await using visitor = await on.visit();
    const others = [await on.visit(), await on.visit(), await on.visit()];
    for (const { page } of [visitor, ...others]) {
      await page.goto('/settings/sign-in');
      await signIn(page, 'carol');
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    }
    const { page, complaints } = visitor;
    await page.reload();
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    const own = sessions.filter({ hasText: 'this browser' });
    await own.getByText('127.0.0.1, signed in with the password').waitFor();
    await own.getByText('Chrome on Linux').waitFor();
    await expect.poll(() => own.getByRole('button').count()).toBe(0);
    // The fifth session comes from the link that set the password.
    await expect.poll(() => sessions.count()).toBe(5);
    await sessions.filter({ hasText: 'with a link' }).getByRole('button', { name: 'End the session' }).click();
    await expect.poll(() => sessions.count()).toBe(4);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect.poll(() => sessions.count()).toBe(1);
    for (const other of others) {
      await other.page.getByText('Your session has ended. Sign in again.').waitFor();
      await other[Symbol.asyncDispose]();
    }
    await own.waitFor();
    expect(complaints).toEqual([]);
  });

  test('a browser that is signed in with a token cannot set a password', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    await visitor.page.goto('/settings/sign-in');
    await visitor.page.getByText('signed in with the access token laptop, which sets no password').waitFor();
    await expect.poll(() => visitor.page.getByLabel('New password').count()).toBe(0);
  });

  test('a site administrator ends sessions, deletes tokens and disables a user', async () => {
    await using carol = await on.visit({ token: tokenOf('carol') });
    await carol.page.goto('/inbox');
    await carol.page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await using visitor = await asAdmin();
    const { page, complaints } = visitor;
    await page.goto('/admin/users/carol');
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all' }).click();
    await page.getByText(/^(One session was|\d+ sessions were) ended\.$/).waitFor();
    await carol.page.getByText('Your session has ended. Sign in again.').waitFor();
    await whoAmI(on.world.as('carol'));

    const tokens = page.getByRole('table', { name: 'Access tokens' }).getByRole('row');
    await tokens
      .filter({ hasText: 'laptop' })
      .getByText(`hf_…${tokenOf('carol').slice(-4)}`)
      .waitFor();
    await page.getByRole('button', { name: 'Delete laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('carol has no access tokens.').waitFor();
    await expect(whoAmI(on.world.as('carol'))).rejects.toThrow();

    await page.getByRole('button', { name: 'Disable carol' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('A disabled user cannot sign in.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Reset link' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Delete carol' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/admin/users');
    await page.getByRole('list', { name: 'Users' }).getByText('alice', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('carol', { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('users see their own sign-ins with browser and result; site administrators see those of a user', async () => {
    await on.world.apply({ users: [person('gina', 'Gina Weber')] });
    const agent = '<img src=x onerror=alert(1)>';
    const attempt = (path: string, body: object) =>
      fetch(`${on.world.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-requested-with': 'test', 'user-agent': agent },
        body: JSON.stringify(body),
      });
    expect((await attempt('/api/sign-in', { name: 'gina', password: 'not the one' })).status).toBe(401);
    await using admin = await asAdmin();
    await admin.page.goto('/admin/users/gina');
    const seen = admin.page.getByRole('list', { name: 'Sign-ins' });
    await seen.getByText('with the password: no password').waitFor();
    expect(await seen.getByRole('listitem').count()).toBe(1);
    await expectAccessible(admin.page);
    for (let at = 0; at < 50; at++)
      expect((await attempt('/api/sign-in/token', { token: tokenOf('gina') })).status).toBe(200);
    await using visitor = await on.visit({ token: tokenOf('gina') });
    const { page, complaints } = visitor;
    await page.goto('/settings/sign-ins');
    const rows = page.getByRole('list', { name: 'Sign-ins' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(50);
    await rows.first().getByText('signed in', { exact: true }).waitFor();
    await rows.first().getByText('with an access token').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(52);
    await rows.last().getByText('refused', { exact: true }).waitFor();
    await page.getByRole('radiogroup', { name: 'Result' }).getByText('Refused').click();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().getByText('Unknown browser').waitFor();
    await expectAccessible(page);

    await on.world.apply({ users: [person('hugo')] });
    await using other = await on.visit({ token: tokenOf('hugo') });
    await other.page.goto('/settings/sign-ins');
    await expect.poll(() => other.page.getByRole('list', { name: 'Sign-ins' }).getByRole('listitem').count()).toBe(1);
    await other.page.getByRole('radiogroup', { name: 'Result' }).getByText('Refused').click();
    await other.page.getByText('None was refused in the last 90 days.').waitFor();
    await other.page.goto('/admin/users/gina');
    await other.page.getByText('No permission').waitFor();
    expect([...complaints, ...admin.complaints, ...other.complaints]).toEqual([]);
  });
});
