import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { DAY, MINUTE } from './clock.ts';
import { type ForgedClaims, makeKey } from './forging-provider.ts';
import { signInAs, startWithProvider, whoIs } from './single-sign-on.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

async function startWithSessions() {
  const here = await startWithProvider();
  const { hub, provider } = here;
  const signIn = async (sub: string, sid: string) =>
    (await signInAs(hub, provider, { sub, sid, preferred_username: sub })).browser;
  let count = 0;
  const claims = (more: ForgedClaims): ForgedClaims => {
    count += 1;
    return provider.claimsFor({ jti: `j-${count}`, events: { [EVENT]: {} }, ...more });
  };
  return {
    ...{ ...here, signIn, claims },
    signed: (more: ForgedClaims) => provider.sign(claims(more), provider.key, 'logout+jwt'),
    post: async (token: string) => {
      const body = new URLSearchParams({ logout_token: token });
      return (await fetch(`${hub.url}/login/oidc/backchannel-logout`, { method: 'POST', body })).status;
    },
  };
}

test('row 35: a logout token ends the sessions that it names, and is valid once', async () => {
  await using here = await startWithSessions();
  const { post, signed, signIn } = here;
  const [one, two, other] = [await signIn('dora', 's-1'), await signIn('dora', 's-2'), await signIn('erin', 's-3')];
  const token = await signed({ sid: 's-1' });
  expect(await post(token)).toBe(200);
  expect([await whoIs(one), await whoIs(two), await whoIs(other)]).toEqual([401, 'dora', 'erin']);
  expect(await post(token)).toBe(400);
  const three = await signIn('dora', 's-4');
  expect(await post(await signed({ sub: 'dora', sid: 's-2' }))).toBe(200);
  expect([await whoIs(two), await whoIs(three)]).toEqual([401, 'dora']);
  expect(await post(await signed({ sub: 'dora' }))).toBe(200);
  expect([await whoIs(three), await whoIs(other)]).toEqual([401, 'erin']);
  // Nobody has this session, which counts as ended.
  expect(await post(await signed({ sid: 'unknown' }))).toBe(200);
});

test('row 35: an invalid logout token ends no session', async () => {
  await using here = await startWithSessions();
  const { post, signed, claims, provider } = here;
  const browser = await here.signIn('dora', 's-1');
  const at = provider.seconds();
  const sid = 's-1';
  const wrong: Readonly<Record<string, string | Promise<string>>> = {
    'a nonce': signed({ sid, nonce: 'n' }),
    'neither sid nor sub': signed({}),
    'no event': signed({ sid, events: undefined }),
    'another event': signed({ sid, events: { 'http://schemas.openid.net/event/other': {} } }),
    'an event that is no object': signed({ sid, events: { [EVENT]: true } }),
    'no id': signed({ sid, jti: undefined }),
    'another audience': signed({ sid, aud: 'another' }),
    'another issuer': signed({ sid, iss: 'https://other.example' }),
    'an old one': signed({ sid, iat: at - 3600, exp: at + 300 }),
    'an expired one': signed({ sid, iat: at - 400, exp: at - 300 }),
    'one of tomorrow': signed({ sid, iat: at + 86_400, exp: at + 90_000 }),
    'no time': signed({ sid, iat: undefined }),
    'another key': makeKey('first').then((key) => provider.sign(claims({ sid }), key, 'logout+jwt')),
    'an id token': provider.sign(claims({ sid })),
    unsigned: new UnsecuredJWT({ ...claims({ sid }) }).encode(),
    'no token': 'x',
  };
  for (const [what, token] of Object.entries(wrong)) expect([what, await post(await token)]).toEqual([what, 400]);
  expect(await whoIs(browser)).toBe('dora');
});

test('a used logout token is remembered exactly as long as it would be valid', async () => {
  await using here = await startWithSessions();
  const { hub, clock, post, signed } = here;
  const count = async () => (await hub.database.read.selectFrom('logout_tokens').selectAll().execute()).length;
  await post(await signed({ sid: 's-1' }));
  expect(await count()).toBe(1);
  clock.advance(11 * MINUTE);
  await hub.drain();
  expect(await count()).toBe(1);
  clock.advance(DAY);
  await hub.drain();
  expect(await count()).toBe(0);
});
