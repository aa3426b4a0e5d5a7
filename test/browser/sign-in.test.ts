import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { endUserSessions } from '@moonbase/client/sessions';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { givePassword, passwordOf, readableBy, signIn } from './people.ts';
import { stage } from './stage.ts';
import { person, startWorld, tokenOf } from './world.ts';

describe.skipIf(noBrowser)('signing in', () => {
  const on = stage(startWorld);
  beforeAll(async () => {
    await on.world.apply({
      users: [person('alice', 'Alice Moreau'), person('mallory')],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
    });
    for (const user of ['alice', 'mallory']) await givePassword(on.world, user);
  });
  const cookiesOf = (context: BrowserContext) => context.cookies(on.world.url);
  const isKnown = async (cookie: string) =>
    (await fetch(`${on.world.url}/api/whoami-v2`, { headers: { cookie, 'x-requested-with': 'tests' } })).ok;

  test('takes a name, a password and Enter; scripts, addresses and referrers never hold the session (rows 27, 28)', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url(), request.headers().referer ?? ''));
    await page.goto('/webhooks?of=me');
    await page.waitForURL('**/login?return_to=%2Fwebhooks%3Fof%3Dme');
    const name = page.getByRole('textbox', { name: 'User name or e-mail address' });
    await expect.poll(() => name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await expect.poll(() => name.getAttribute('autocomplete')).toBe('username');
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).getAttribute('autocomplete'))
      .toBe('current-password');
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?of=me');
    for (const entry of ['Inbox', 'Webhooks', 'Jobs', 'Organizations', 'Settings'])
      await expect.poll(() => page.getByRole('link', { name: entry, exact: true }).count()).toBe(1);

    const [cookie, ...others] = await cookiesOf(page.context());
    const { hostname, port } = new URL(on.world.url);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: `moonbase-${port}`,
      domain: hostname,
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
    });
    const told = [await readableBy(page), page.url(), ...sent].join('\n');
    for (const secret of [cookie?.value ?? '', passwordOf('alice'), 'herons', 'hf_'])
      expect(told).not.toContain(secret);
    expect(sent.filter((text) => text.includes('return_to'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('applies to all tabs, and so does signing out', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const second = await page.context().newPage();
    await second.goto('/jobs');
    await second.getByRole('heading', { name: 'Sign in to Moonbase' }).waitFor();
    await page.goto('/');
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await second.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    const third = await page.context().newPage();
    await third.goto('/webhooks');
    await third.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();

    const [cookie] = await cookiesOf(page.context());
    await page.reload();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: /acme/ }).waitFor();
    await expect.poll(() => page.getByText(/Alice Moreau/).isVisible()).toBe(true);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    for (const tab of [second, third]) await tab.getByText('You have signed out in another tab.').waitFor();
    expect(await cookiesOf(page.context())).toEqual([]);
    expect(await isKnown(`${cookie?.name}=${cookie?.value}`)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('takes an access token, which is not kept; the session ends with the token, even in open pages', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await on.world.apply({
      users: [{ name: 'alice', tokens: [{ name: 'phone', role: 'read', token: 'hf_aliceOnHerPhone' }] }],
    });
    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Use an access token instead' }).click();
    await page.getByRole('textbox', { name: 'Access token' }).fill(' hf_aliceOnHerPhone ');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(await readableBy(page)).not.toContain('hf_');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByText('(phone, read)').waitFor();
    await page.keyboard.press('Escape');
    // The session may do no more than the token, which may only read.
    await page.goto('/settings/mcp');
    await page.getByRole('checkbox', { name: 'Run jobs' }).click();
    await page.getByText('No permission').waitFor();

    for await (const { id, displayName } of listAccessTokens(on.world.as('alice')))
      if (displayName === 'phone') await deleteAccessToken({ ...on.world.as('alice'), tokenId: id });
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await page.waitForURL('**/login?return_to=%2Fsettings%2Fmcp');
  });

  test('says what is wrong, and the same for a wrong name and a wrong password', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/');
    for (const user of ['alice', 'nobody']) {
      await signIn(page, user, 'not the password of anybody');
      await page.getByText('This name and password do not match.').waitFor();
      await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true');
      await page.reload();
    }
    await page.getByRole('button', { name: 'Use an access token instead' }).click();
    await page.getByRole('textbox', { name: 'Access token' }).fill('hf_nobodyHasThisOne');
    await page.keyboard.press('Enter');
    await page.getByText('The hub does not know this token.').waitFor();
    expect(await readableBy(page)).not.toContain('hf_');
    expect(await cookiesOf(page.context())).toEqual([]);
  });

  test('ends everywhere when an administrator ends the sessions, even in open pages', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/inbox');
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await endUserSessions({ ...on.world.admin, username: 'alice' });
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  test('starts a new session if a cookie was planted, and the planted cookie is worthless afterwards (row 1)', async () => {
    await using attacker = await on.visit();
    await attacker.page.goto('/');
    await signIn(attacker.page, 'mallory');
    await attacker.page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const [known] = await cookiesOf(attacker.page.context());
    for (const planted of ['a-secret-that-nobody-was-given', known?.value ?? '']) {
      await using visitor = await on.visit();
      const { page } = visitor;
      const context = page.context();
      await page.goto('/login');
      await page.getByRole('heading', { name: 'Sign in to Moonbase' }).waitFor();
      await context.addCookies([{ name: known?.name ?? '', value: planted, url: on.world.url }]);
      await signIn(page, 'alice');
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      const [own] = await cookiesOf(context);
      expect(own?.value).not.toBe(planted);
      expect(await isKnown(`${known?.name}=${own?.value}`)).toBe(true);
      expect(await isKnown(`${known?.name}=${planted}`)).toBe(false);
    }
  });

  test.each(['//evil.example', '/\\evil.example', 'https:evil.example', '%0d%0a', '/%0d%0a', 'javascript:alert(1)'])(
    'lands on / if return_to is %s (row 4)',
    async (page) => {
      await using visitor = await on.visit({ token: tokenOf('alice') });
      await visitor.page.goto(`/login?return_to=${page}`);
      await visitor.page.getByRole('heading', { name: 'Inbox' }).waitFor();
      expect(visitor.page.url()).toBe(`${on.world.url}/inbox`);
      expect(visitor.complaints).toEqual([]);
    },
  );

  test('sends no fragment of a link, such as the secret of an invitation', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(`/organizations#invitation=${'a'.repeat(24)}.${'b'.repeat(43)}`);
    await page.getByRole('heading', { name: 'Sign in to Moonbase' }).waitFor();
    await signIn(page, 'alice');
    await page.getByRole('region', { name: 'Invitation by mail' }).waitFor();
    expect(urls.filter((url) => url.split('#')[0]?.includes('bbbb'))).toEqual([]);
  });

  test('removes access tokens that earlier versions kept in the browser', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/');
    await page.evaluate(`for (const s of [sessionStorage, localStorage]) s.setItem('moonbase.access-token', 'hf_old')`);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Moonbase' }).waitFor();
    expect(await readableBy(page)).not.toContain('hf_');
  });

  test('says when the hub is away, and continues when the hub is back', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.route('**/api/whoami-v2', (route) => route.abort());
    await page.goto('/webhooks');
    await page.getByRole('alert').filter({ hasText: 'The hub does not answer' }).waitFor();
    await page.unroute('**/api/whoami-v2');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
  });

  test('is offered at every address of the console, with a policy that allows nothing from other origins', async () => {
    const pages = ['/', '/login', '/join/code', '/inbox', '/webhooks/new'];
    for (const path of [...pages, '/acme/bert/discussions/1', '/datasets/a/b/discussions/2']) {
      const answer = await fetch(on.world.url + path);
      const policy = answer.headers.get('content-security-policy');
      const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
      const page = await answer.text();
      expect([path, answer.status, nonce !== undefined && page.includes(nonce)]).toEqual([path, 200, true]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
      expect(policy).toContain("form-action 'none'; frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style|https?:\/\/|__CSP/);
    }
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await fetch(on.world.url)).headers.get('content-security-policy')),
    );
    expect(first).not.toBe(second);
  });

  test('does not change the answers of other addresses', async () => {
    expect((await fetch(`${on.world.url}/acme/bert/resolve/main/config.json`)).status).toBe(401);
    const answers = ['/acme/bert/blame/main/config.json', '/acme', '/assets/nothing.js', '/api/nothing', '/inboxes'];
    for (const path of answers) expect([path, (await fetch(on.world.url + path)).status]).toEqual([path, 404]);
    expect((await fetch(`${on.world.url}/inbox`, { method: 'POST' })).status).toBe(404);
  });
});

describe.skipIf(noBrowser)('pages of another port of the host (row 2)', () => {
  // Behind a proxy the hub is not in development mode, which would refuse such pages altogether.
  const on = stage(() => startWorld({ MOONBASE_TRUSTED_PROXIES: '192.0.2.1', MOONBASE_JOBS_RUNNER: '' }));
  const elsewhere = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Win</h1>'));
  beforeAll(async () => {
    await on.world.apply({ users: [person('alice'), person('mallory')] });
    for (const user of ['alice', 'mallory']) await givePassword(on.world, user);
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void elsewhere.close());
  const url = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;

  /** Opens a browser for the victim; `ask` sends requests as the page of the attacker may. */
  async function visitAsVictim() {
    const visitor = await on.visit();
    const { page } = visitor;
    const ask = (path: string, init: object) =>
      page.evaluate(
        `fetch(${JSON.stringify(on.world.url + path)}, ${JSON.stringify(init)}).then(({ status }) => status, () => 'blocked')`,
      );
    return { visitor, page, ask, cookies: () => page.context().cookies(on.world.url) };
  }

  test('sign nobody in, and leave no cookie', async () => {
    const { visitor, page, ask, cookies } = await visitAsVictim();
    await using _visitor = visitor;
    await page.goto(url());
    const body = JSON.stringify({ name: 'mallory', password: passwordOf('mallory') });
    const json = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect(await ask('/api/sign-in', json)).toBe(403);
    expect(await ask('/api/sign-in', { ...json, credentials: 'include' })).toBe('blocked');
    expect(await ask('/api/sign-in/token', { ...json, body: JSON.stringify({ token: tokenOf('mallory') }) })).toBe(403);
    await ask('/api/sign-in', { method: 'POST', body, mode: 'no-cors', credentials: 'include' });
    expect(await cookies()).toEqual([]);
    // The browser submits a form without asking.
    await page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain' });
      form.action = ${JSON.stringify(`${on.world.url}/api/sign-in`)};
      const field = Object.assign(document.createElement('input'), { name: '{"name":"mallory","password":"' });
      field.value = ${JSON.stringify(`${passwordOf('mallory')}"}`)};
      form.append(field);
      document.body.append(form);
      form.submit();
    })()`);
    await page.waitForURL(`${on.world.url}/api/sign-in`);
    expect(await page.content()).toContain('error');
    expect(await cookies()).toEqual([]);
  });

  test('read and change nothing with the cookie that the browser sends along', async () => {
    const { visitor, page, ask, cookies } = await visitAsVictim();
    await using _visitor = visitor;
    await page.goto('/login');
    await signIn(page, 'alice');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const [cookie] = await cookies();
    await page.goto(url());
    expect(await ask('/api/settings/sessions', { credentials: 'include' })).toBe('blocked');
    for (const mode of ['cors', 'no-cors'])
      await ask('/api/sign-out', { method: 'POST', body: '', mode, credentials: 'include' });
    expect(await cookies()).toEqual([cookie]);
    await page.goto('/webhooks');
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
  });
});
