import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { moonbase, person, startHub } from './hub.ts';

const PASSWORD = 'seven quiet herons';

/** Uses the link that a command printed, as the page of the console does. Returns the status and the cookie. */
async function openLink(out: string) {
  const [, hubUrl = '', code = ''] = /(http\S+)\/join\/(\S+)/.exec(out) ?? [];
  const answer = await fetch(`${hubUrl}/api/links/${code}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Firefox' },
    body: JSON.stringify({ password: PASSWORD }),
  });
  const { secondFactor } = (await answer.json()) as { readonly secondFactor?: true };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { status: answer.status, cookie, asksForCode: secondFactor === true };
}

/** Returns the code that an authenticator shows at a time (RFC 6238). */
function totpCode(uri: string, now: number): string {
  const letters = Array.from(new URL(uri).searchParams.get('secret') ?? '');
  const bits = letters.map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  return String((digest.readUInt32BE((digest.at(-1) ?? 0) % 16) % 2 ** 31) % 1_000_000).padStart(6, '0');
}

/** Sets up an authenticator in a browser. */
async function setUpAuthenticator(hubUrl: string, cookie: string): Promise<void> {
  const send = async (path: string, body: object) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const answer = await fetch(hubUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { readonly uri: string };
  };
  const { uri } = await send('/api/settings/second-factors', {});
  await send('/api/settings/second-factors/confirm', { code: totpCode(uri, Date.now()) });
}

test('a site administrator invites a user, lists the user’s sessions, and ends them', async () => {
  await using hub = await startHub();
  await hub.apply({ users: [person('ada')] });
  const { out } = await hub.as('admin', [
    'users',
    'invite',
    'carol',
    '--fullname',
    'Carol',
    '--email',
    'carol@example.com',
  ]);
  const { status, cookie } = await openLink(out);
  expect(status).toBe(200);
  const whoAmI = async () =>
    (await fetch(`${hub.hubUrl}/api/whoami-v2`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status;
  expect(await whoAmI()).toBe(200);

  const listed = await hub.as('admin', ['sessions', 'list', '--user', 'carol']);
  expect(listed.out).toMatch(/^[0-9a-f]{24} +link +127\.0\.0\.1 +Firefox +20/m);
  expect((await hub.as('ada', ['sessions', 'list', '--user', 'carol'])).status).toBe(3);
  expect((await hub.as('admin', ['sessions', 'end', '--user', 'carol'])).status).toBe(2);
  const [id = ''] = /[0-9a-f]{24}/.exec(listed.out) ?? [];
  expect((await hub.as('admin', ['sessions', 'end', id, '--user', 'ada'])).status).toBe(4);
  expect(await hub.as('admin', ['sessions', 'end', id, '--user', 'carol'])).toMatchObject({
    out: 'Ended 1 session.\n',
  });
  expect(await whoAmI()).toBe(401);

  expect((await openLink((await hub.as('admin', ['users', 'link', 'carol'])).out)).status).toBe(200);
  const all = ['sessions', 'end', '--all', '--user', 'carol'];
  expect((await hub.as('admin', [...all, '--json'])).out).toBe('{\n  "ended": 1\n}\n');
  expect((await hub.as('admin', ['sessions', 'end', '--all'])).out).toBe('Ended 0 sessions.\n');
});

test('an operator on the machine gets a link for a site administrator while the hub runs', async () => {
  await using hub = await startHub();
  const setupLink = (...more: string[]) =>
    moonbase(['setup-link', '--data-dir', hub.folder, '--port', new URL(hub.hubUrl).port, ...more]);
  const { out, status } = await setupLink();
  expect(status).toBe(0);
  expect(out).toMatch(/^Set up the hub at http:\/\/127\.0\.0\.1:\d+\/join\/[\w-]{43}\nuntil 20[\d :-]+ UTC, once\.\n$/);
  expect((await openLink(out)).status).toBe(200);
  expect((await openLink(out)).status).toBe(410);
  const again = await setupLink('--user', 'admin', '--public-url', 'https://hub.example.com');
  expect(again.out).toMatch(/^Choose a new password for admin at https:\/\/hub\.example\.com\/join\//);
  expect(JSON.parse((await setupLink('--json')).out)).toMatchObject({ user: 'admin', purpose: 'reset' });
  const unknown = await setupLink('--user', 'nobody');
  expect([unknown.status, unknown.err]).toEqual([1, expect.stringContaining('nobody')]);
  const nowhere = await moonbase(['setup-link', '--data-dir', `${hub.folder}/none`]);
  expect([nowhere.status, nowhere.err]).toEqual([1, expect.stringContaining('There is no database')]);
});

test('a lost authenticator is removed by a site administrator; that of the last administrator, by a command on the machine', async () => {
  await using hub = await startHub();
  await hub.apply({ users: [person('ada')] });
  const { cookie } = await openLink((await hub.as('admin', ['users', 'link', 'ada'])).out);
  await setUpAuthenticator(hub.hubUrl, cookie);
  expect((await openLink((await hub.as('admin', ['users', 'link', 'ada'])).out)).asksForCode).toBe(true);
  const reset = ['users', 'reset-second-factor', 'ada', '--yes'];
  expect((await hub.as('ada', reset)).status).toBe(3);
  expect((await hub.as('admin', reset)).out).toBe('Removed the second factor of ada.\n');
  expect((await hub.as('admin', reset)).status).toBe(1);
  expect((await openLink((await hub.as('admin', ['users', 'link', 'ada'])).out)).asksForCode).toBe(false);

  const setupLink = (...more: string[]) =>
    moonbase(['setup-link', '--data-dir', hub.folder, '--port', new URL(hub.hubUrl).port, ...more]);
  const admin = await openLink((await setupLink()).out);
  await setUpAuthenticator(hub.hubUrl, admin.cookie);
  expect((await openLink((await setupLink()).out)).asksForCode).toBe(true);
  expect((await openLink((await setupLink('--without-second-factor')).out)).asksForCode).toBe(false);
});

test('an operator on the machine makes tokens and passwords for anybody while the hub runs', async () => {
  await using hub = await startHub();
  await hub.apply({ users: [person('ada')] });
  const admin = (...more: string[]) => moonbase(['admin', ...more, '--data-dir', hub.folder]);
  const made = await admin('token', '--user', 'ada', '--days', '7');
  expect(made.out).toMatch(/^Access token of the user ada, shown this once, until 20[\d :-]+ UTC:\nhf_\w{34}\n$/);
  const [token = ''] = /hf_\w+/.exec(made.out) ?? [];
  expect((await moonbase(['whoami', '--url', hub.hubUrl], { env: { MOONBASE_TOKEN: token } })).out).toContain('ada');
  const json = JSON.parse((await admin('token', '--user', 'ada', '--name', 'rescue', '--role', 'read', '--json')).out);
  expect(json).toEqual({ user: 'ada', displayName: 'rescue', role: 'read', token: expect.stringMatching(/^hf_/) });

  await openLink((await hub.as('admin', ['users', 'link', 'ada'])).out);
  const reset = await admin('reset-password', '--user', 'ada', '--without-second-factor');
  expect(reset.out).toMatch(/^New password of the user ada, shown this once:\n\w{24}\nEnded 1 session\.\n$/);
  for (const command of ['token', 'reset-password']) {
    const unknown = await admin(command, '--user', 'nobody');
    expect([unknown.status, unknown.err]).toEqual([1, 'There is no user named nobody\n']);
    expect((await admin(command)).status).toBe(2);
  }
});
