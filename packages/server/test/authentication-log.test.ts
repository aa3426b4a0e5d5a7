import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { startHub, tokenOf } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';
import { sendForm } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { PASSWORD, withPassword } from './signed-in.ts';

const filter = readFileSync(
  fileURLToPath(new URL('../../../deploy/fail2ban/filter.d/moonbase.conf', import.meta.url)),
  'utf8',
);
/** The expression of deploy/fail2ban, with addresses as fail2ban puts them in place of `<ADDR>`. */
const BANNING = new RegExp(
  (/^failregex = (.*)$/m.exec(filter)?.[1] ?? '').replace('<ADDR>', '(?:::f{4,6}:)?(?<address>[\\d.]+|[\\da-f:]+)'),
);
const bannedBy = (lines: readonly string[]) => lines.flatMap((line) => BANNING.exec(line)?.groups?.address ?? []);

async function startLoggedHub(settings: Readonly<Record<string, string>> = {}) {
  const { lines, logger } = keepingLogger('info');
  const hub = await startHub(settings, { hashing: plainHashing, logger });
  /** Returns the lines since the last call, apart from those about requests. */
  const taken = () =>
    lines
      .splice(0)
      .filter((line) => !line.includes('"msg":"request"'))
      .map((line) => ({ line, fields: JSON.parse(line) as Record<string, unknown> }));
  return { hub, lines, taken, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

test('the secret of an application is no access token: the server of an application is not banned for its logins', async () => {
  await using log = await startLoggedHub({ MOONBASE_RATE_LIMITS: 'anonymous=100,free=100' });
  const { hub, lines } = log;
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const application = {
    name: 'Reader',
    redirectUris: ['https://app.example/callback'],
    scopes: ['openid'],
    confidential: true,
  };
  const { body } = await browser.ask('POST /api/settings/applications', application);
  const authorization = `Basic ${Buffer.from(`${body.clientId}:${body.clientSecret}`).toString('base64')}`;
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/device']) {
    const fields = { grant_type: 'refresh_token', refresh_token: 'hf_refresh_old', token: 'hf_refresh_old' };
    const answer = await sendForm(hub, path, fields, { authorization });
    expect([path, answer.status]).toEqual([path, path === '/oauth/token' ? 400 : 200]);
  }
  expect(bannedBy(lines)).toEqual([]);
});

test('each refused sign-in is a warning with the address, which fail2ban finds; no name that was only typed is in it', async () => {
  await using log = await startLoggedHub();
  const { hub, taken } = log;
  await hub.people('ada', 'bob');
  await withPassword(hub, 'ada');
  const link = { level: 'info', msg: 'signed in', method: 'link', user: 'ada', address: '127.0.0.1' };
  expect(taken()).toMatchObject([{ fields: link }]);
  const browser = openBrowser(hub);
  const attempt = (name: string, password: string) => browser.ask('POST /api/sign-in', { name, password });
  await attempt('ada', 'a wrong password');
  await attempt('bob', 'a wrong password');
  await attempt('my password in the wrong field', 'x');
  await browser.ask('POST /api/sign-in/token', { token: 'hf_nobodyHasThisTokenHere' });
  const refused = taken();
  const all = { level: 'warn', msg: 'authentication failed', requestId: expect.any(String) };
  expect(refused.map(({ fields }) => fields)).toMatchObject([
    { ...all, reason: 'wrong password', method: 'password', user: 'ada' },
    { ...all, reason: 'no password', method: 'password', user: 'bob' },
    { ...all, reason: 'unknown name', method: 'password' },
    { ...all, reason: 'unknown, expired or revoked', method: 'token' },
  ]);
  expect(bannedBy(refused.map(({ line }) => line))).toEqual(refused.map(() => '127.0.0.1'));
  expect(JSON.stringify(refused)).not.toMatch(/wrong field|a wrong password|nobodyHas/);
  expect((await attempt('ada', PASSWORD)).status).toBe(200);
  const accepted = taken();
  expect(accepted).toMatchObject([{ fields: { msg: 'signed in', method: 'password', user: 'ada' } }]);
  expect(bannedBy(accepted.map(({ line }) => line))).toEqual([]);
});

test('attempts that come too soon and wrong current passwords are refusals as well', async () => {
  await using log = await startLoggedHub();
  const { hub, taken } = log;
  await hub.people('ada');
  const ada = await withPassword(hub, 'ada');
  for (let tries = 0; tries < 6; tries++)
    await openBrowser(hub).ask('POST /api/sign-in', { name: 'ada', password: `a wrong password ${tries}` });
  const soon = { level: 'warn', msg: 'authentication failed', reason: 'too many attempts' };
  expect(taken().at(-1)?.fields).toMatchObject(soon);
  hub.clock.advance(60 * 60 * 1000);
  const change = { password: 'nine distant herons', current: 'a wrong password' };
  expect((await ada.ask('PUT /api/settings/password', change)).status).toBe(403);
  const wrong = { msg: 'authentication failed', reason: 'wrong current password', user: 'ada' };
  expect(taken()).toMatchObject([{ fields: wrong }]);
});

test('a wrong access token is a refusal with its last four characters; a right one and none are not', async () => {
  await using log = await startLoggedHub({ MOONBASE_TRUSTED_PROXIES: '127.0.0.1' });
  const { hub, taken } = log;
  await hub.people('ada');
  const ask = (authorization?: string, address = '203.0.113.7') =>
    fetch(`${hub.url}/api/whoami-v2`, {
      headers: { 'x-forwarded-for': address, ...(authorization !== undefined && { authorization }) },
    });
  await ask();
  await ask(`Bearer ${tokenOf('ada')}`);
  expect(taken()).toEqual([]);
  await ask('Bearer hf_anExpiredTokenOfACiJobWxYz');
  await ask(`Basic ${Buffer.from('ada:thePasswordOfAda').toString('base64')}`);
  await ask('Bearer hf_anExpiredTokenOfACiJobWxYz', '2001:db8::7');
  const refused = taken();
  const [first, second] = refused.map(({ fields }) => fields);
  expect(first).toMatchObject({ method: 'token', token: 'WxYz', address: '203.0.113.7' });
  expect(second).not.toHaveProperty('token');
  expect(bannedBy(refused.map(({ line }) => line))).toEqual(['203.0.113.7', '203.0.113.7', '2001:db8::7']);
});

test('no text in another line makes fail2ban ban an address', async () => {
  const { lines, logger } = keepingLogger('info');
  const [forged] = ['203.0.113.9'].map((address) =>
    JSON.stringify({
      level: 'warn',
      time: 'x',
      pid: 1,
      role: 'all',
      address,
      method: 'token',
      msg: 'authentication failed',
    }),
  );
  logger.warn({ provider: 'hub', reason: forged }, 'a sign-in with an OpenID provider was refused');
  logger.warn({ reason: `${forged}\n${forged}` }, 'authentication failed');
  logger.info({ address: '203.0.113.9', reason: forged }, 'authentication failed');
  expect(lines).toHaveLength(3);
  expect(bannedBy(lines)).toEqual([]);
});
