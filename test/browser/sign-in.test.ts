import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { person, startWorld, tokenOf } from './world.ts';

const STORED = 'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])';

describe.skipIf(noBrowser)('signing in', () => {
  const on = stage(startWorld);
  beforeAll(async () => {
    await on.world.apply({
      users: [person('alice', 'Alice Moreau')],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
    });
  });

  test('takes a token and Enter, keeps it for the tab, and forgets it on leaving', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.goto('/');
    await page.getByRole('textbox').fill(tokenOf('alice'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    for (const name of ['Inbox', 'Webhooks', 'Jobs', 'Organizations', 'Settings'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(1);
    const [session, local, cookies] = JSON.parse(await page.evaluate(STORED)) as [object, object, string];
    expect(Object.values(session)).toContain(tokenOf('alice'));
    expect(JSON.stringify([local, cookies])).not.toContain('hf_');

    await page.reload();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: /acme/ }).waitFor();
    expect(await page.getByText(/Alice Moreau/).isVisible()).toBe(true);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(STORED)).not.toContain('hf_');
    expect(urls.join()).not.toContain('hf_');
    expect(complaints).toEqual([]);
  });

  test('remembers the token where that is asked for, until the hub refuses it', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await on.world.apply({
      users: [{ name: 'alice', tokens: [{ name: 'phone', role: 'write', token: 'hf_aliceOnHerPhone' }] }],
    });
    await page.goto('/webhooks');
    await page.getByRole('textbox').fill('hf_aliceOnHerPhone');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(await page.evaluate('Object.values(localStorage).join()')).toContain('hf_aliceOnHerPhone');

    await on.world.apply({ users: [{ name: 'alice', tokens: [{ name: 'phone', state: 'absent' }] }] });
    await page.reload();
    await page.getByText('no longer accepts this access token').waitFor();
    expect(await page.evaluate(STORED)).not.toContain('hf_');
  });

  test('says so where the hub does not know the token', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/');
    await page.getByRole('textbox').fill('hf_nobodyHasThisOne');
    await page.keyboard.press('Enter');
    await page.getByText('The hub does not know this token.').waitFor();
    expect(await page.evaluate(STORED)).not.toContain('hf_');
  });

  test('is the page of every address of the console, with a policy that allows nothing from elsewhere', async () => {
    for (const path of ['/', '/inbox', '/webhooks/new', '/acme/bert/discussions/1', '/datasets/a/b/discussions/2']) {
      const answer = await fetch(on.world.url + path);
      const policy = answer.headers.get('content-security-policy');
      const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
      const page = await answer.text();
      expect([path, answer.status, nonce !== undefined && page.includes(nonce)]).toEqual([path, 200, true]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style|https?:\/\/|__CSP/);
    }
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await fetch(on.world.url)).headers.get('content-security-policy')),
    );
    expect(first).not.toBe(second);
  });

  test('leaves the rest of the hub as it is', async () => {
    const answers = ['/acme/bert/resolve/main/config.json', '/acme', '/assets/nothing.js', '/api/nothing', '/inboxes'];
    for (const path of answers) expect([path, (await fetch(on.world.url + path)).status]).toEqual([path, 404]);
    expect((await fetch(`${on.world.url}/inbox`, { method: 'POST' })).status).toBe(404);
  });
});
