import { createAccessToken } from '@moonbase/client/access-tokens';
import { listOwnSignIns, listSignIns } from '@moonbase/client/sessions';
import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { DAY } from './clock.ts';
import { collect, startHub, tokenOf } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { PASSWORD, withPassword } from './signed-in.ts';
import { signInAs, startWithProvider } from './single-sign-on.ts';

test('site administrators see who signed in and who was refused, from where, and nothing that was typed', async () => {
  await using hub = await startHub({}, { hashing: plainHashing });
  await hub.people('ada', 'bob');
  await withPassword(hub, 'ada');
  const send = (path: string, body: object) => openBrowser(hub).ask(`POST ${path}`, body, { 'user-agent': 'Firefox' });
  await send('/api/sign-in', { name: 'ada', password: PASSWORD });
  await send('/api/sign-in', { name: 'ada', password: 'my other secret' });
  await send('/api/sign-in', { name: 'bob', password: 'my other secret' });
  await send('/api/sign-in', { name: 'my password, typed too early', password: 'x' });
  await send('/api/sign-in/token', { token: tokenOf('bob') });
  const all = await collect(listSignIns(hub.admin));
  expect(all.map(({ user, method, outcome, reason }) => [user, method, outcome, reason])).toEqual([
    ['bob', 'token', 'ok', undefined],
    [undefined, 'password', 'refused', 'unknown name'],
    ['bob', 'password', 'refused', 'no password'],
    ['ada', 'password', 'refused', 'wrong password'],
    ['ada', 'password', 'ok', undefined],
    ['ada', 'link', 'ok', undefined],
  ]);
  expect(all[0]).toMatchObject({ address: expect.stringContaining('127.0.0.1'), userAgent: 'Firefox' });
  expect(JSON.stringify(all)).not.toMatch(/secret|typed/);
  expect(await collect(listSignIns({ ...hub.admin, user: 'Bob', outcome: 'refused' }))).toEqual([all[2]]);
  await expect(collect(listSignIns(hub.as('ada')))).rejects.toMatchObject({ status: 403 });
  await expect(collect(listSignIns({ ...hub.admin, user: 'nobody' }))).rejects.toMatchObject({ status: 404 });
  for (let at = 0; at < 10; at++) await send('/api/sign-in/token', { token: tokenOf('ada') });
  const pages = await collect(listSignIns({ ...hub.admin, pageSize: 10 }));
  expect(pages.slice(10)).toEqual(all);
  hub.clock.advance(91 * DAY);
  await hub.drain();
  expect(await collect(listSignIns(hub.admin))).toEqual([]);
});

test('users see their own sign-ins and attempts with their names, page by page, and nobody else’s', async () => {
  await using hub = await startHub({}, { hashing: plainHashing });
  await hub.people('ada', 'bob');
  const ada = await withPassword(hub, 'ada');
  await withPassword(hub, 'bob');
  const tries = async (name: string, password: string) =>
    (await openBrowser(hub).ask('POST /api/sign-in', { name, password }, { 'user-agent': 'Firefox' })).status;
  for (const [name, password] of [
    ['ada', PASSWORD],
    ['ada', 'not the one'],
    ['bob', 'not the one'],
    ['nobody', 'not the one'],
  ] as const)
    await tries(name, password);
  const own = await collect(listOwnSignIns(hub.as('ada')));
  expect(own.map(({ user, method, outcome, reason }) => [user, method, outcome, reason])).toEqual([
    ['ada', 'password', 'refused', 'wrong password'],
    ['ada', 'password', 'ok', undefined],
    ['ada', 'link', 'ok', undefined],
  ]);
  expect(own).toEqual(await collect(listSignIns({ ...hub.admin, user: 'ada' })));
  expect(own[0]).toMatchObject({ address: expect.stringContaining('127.0.0.1'), userAgent: 'Firefox' });
  expect(await collect(listOwnSignIns({ ...hub.as('ada'), outcome: 'refused' }))).toEqual([own[0]]);
  expect((await ada.ask('GET /api/settings/sign-ins?user=bob')).body).toEqual(own);
  expect((await openBrowser(hub).ask('GET /api/settings/sign-ins')).status).toBe(401);
  const fineGrained = { scoped: [], global: ['user.webhooks.read' as const] };
  const { token } = await createAccessToken({
    ...hub.as('ada'),
    displayName: 'narrow',
    role: 'fineGrained',
    fineGrained,
  });
  await expect(collect(listOwnSignIns({ ...hub.as('ada'), accessToken: token }))).rejects.toMatchObject({
    status: 403,
  });
  for (let at = 0; at < 10; at++) await openBrowser(hub).ask('POST /api/sign-in/token', { token: tokenOf('ada') });
  const pages = await collect(listOwnSignIns({ ...hub.as('ada'), pageSize: 10 }));
  expect(pages.slice(10)).toEqual(own);

  // A new user with the name of a deleted one sees nothing from before.
  await ada.ask('DELETE /api/users/ada');
  await hub.drain();
  await hub.people('ada');
  expect(await collect(listOwnSignIns(hub.as('ada')))).toEqual([]);
});

test('row 7: refused claims of a provider are in the trail, and so are users whom the rules refuse', async () => {
  await using here = await startWithProvider({ MOONBASE_OIDC_ALLOWED_GROUPS: 'staff' });
  const { hub, provider } = here;
  const person = { sub: 'u-1', preferred_username: 'dora', groups: ['staff'] };
  await signInAs(hub, provider, person);
  await signInAs(hub, provider, person, { forge: (claims) => new UnsecuredJWT({ ...claims }).encode() });
  await signInAs(hub, provider, person, { forge: (claims) => provider.sign({ ...claims, aud: 'another' }) });
  await signInAs(hub, provider, { ...person, sub: 'u-2', groups: ['guests'] });
  const all = await collect(listSignIns(hub.admin));
  expect(all.map(({ user, method, outcome, reason }) => [user, method, outcome, reason])).toEqual([
    [undefined, 'oidc', 'refused', expect.stringContaining('you have no account here')],
    [undefined, 'oidc', 'refused', expect.stringMatching(/aud/)],
    [undefined, 'oidc', 'refused', expect.any(String)],
    ['dora', 'oidc', 'ok', undefined],
  ]);
});
