import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { deleteTrustedPublisher } from '@moonbase/client/trusted-publishers';
import { disableUser, enableUser } from '@moonbase/client/users';
import { EXCHANGE_GRANT, ID_TOKEN_TYPE } from '@moonbase/contract/oauth/protocol';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { HOUR, MINUTE } from './clock.ts';
import { startHub } from './harness.ts';
import { whoIs } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { PASSWORD, withPassword } from './signed-in.ts';
import { startTokenIssuer } from './token-issuer.ts';

const CLAIMS = { sub: 'repo:acme/ci:ref:refs/heads/main', ref: 'refs/heads/main' };

/**
 * Starts a hub where ada trusts the main branch of an external repository with her model, and the CI service of that
 * repository.
 */
async function startFixture(settings: Readonly<Record<string, string>> = {}) {
  const issuer = await startTokenIssuer();
  const hub = await startHub(settings, { hashing: plainHashing });
  await hub.people('ada', 'bob');
  for (const name of ['bert', 'other']) await createRepo({ ...hub.as('ada'), repo: `ada/${name}`, private: true });
  const ada = await withPassword(hub, 'ada');
  const trust = (resource = 'ada/bert', claims: object = CLAIMS) =>
    ada.ask('POST /api/settings/trusted-publishers', { resource, issuer: issuer.url, claims });
  const seconds = () => Math.floor(hub.clock.now() / 1000);
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    ...{ ...CLAIMS, aud: hub.url, iat: seconds(), exp: seconds() + 600 },
    ...more,
  });
  return {
    ...{ issuer, hub, ada, trust, claims },
    jobToken: (more: JWTPayload = {}) => issuer.sign(claims(more)),
    /** Exchanges a token as huggingface_hub does, in JSON. */
    async exchange(token: string, resource = 'ada/bert', headers: Readonly<Record<string, string>> = {}) {
      const answer = await fetch(`${hub.url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          ...{ grant_type: EXCHANGE_GRANT, subject_token_type: ID_TOKEN_TYPE },
          ...{ subject_token: token, resource },
        }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every form.
      return { status: answer.status, body: (await answer.json()) as any };
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

const sees = async (hub: { readonly url: string }, token: string, name: string) =>
  (await fetch(`${hub.url}/api/models/${name}`, { headers: { authorization: `Bearer ${token}` } })).status;

test('a job exchanges its token for one that lasts an hour and reaches one repository', async () => {
  await using fixture = await startFixture();
  const { hub, ada, issuer } = fixture;
  const made = await fixture.trust();
  expect([made.status, made.body]).toEqual([
    200,
    {
      ...{ id: expect.any(String), resource: 'ada/bert', issuer: issuer.url, claims: CLAIMS },
      createdAt: new Date(hub.clock.now()).toISOString(),
    },
  ]);
  const { status, body } = await fixture.exchange(await fixture.jobToken());
  expect([status, body]).toEqual([
    200,
    {
      ...{ access_token: expect.stringMatching(/^hf_jwt_[0-9A-Za-z]+$/), token_type: 'bearer', expires_in: 3600 },
      ...{ scope: '', issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    },
  ]);
  const token = body.access_token as string;
  expect((await whoIs(hub, token)).body).toMatchObject({ name: 'ada' });
  expect([await sees(hub, token, 'ada/bert'), await sees(hub, token, 'ada/other')]).toEqual([200, 404]);
  const job = hub.with(token);
  const tag = { tag: 'v1' };
  expect((await ask(job, 'POST /api/models/ada/bert/tag/main', tag)).status).toBe(200);
  for (const [request, sent] of [
    ['POST /api/repos/create', { name: 'ada/new', type: 'model' }],
    ['POST /api/models/ada/other/tag/main', tag],
    ['POST /api/settings/tokens', { displayName: 'more', role: 'write' }],
    ['POST /api/settings/trusted-publishers', { resource: 'ada/other', issuer: issuer.url, claims: CLAIMS }],
  ] as const)
    expect([request, (await ask(job, request, sent)).status]).not.toEqual([request, 200]);
  const { body: listed } = await ada.ask('GET /api/settings/trusted-publishers');
  expect(listed).toEqual([{ ...made.body, usedAt: new Date(hub.clock.now()).toISOString() }]);
  hub.clock.advance(HOUR);
  expect((await whoIs(hub, token)).status).toBe(401);
});

test('row 36: tokens of another repository, issuer or audience, and forged ones, get the same response', async () => {
  await using fixture = await startFixture();
  await using stranger = await startTokenIssuer();
  const { hub, issuer, claims } = fixture;
  await fixture.trust();
  const now = Math.floor(hub.clock.now() / 1000);
  const foreign = await generateKeyPair('RS256');
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const shared = Buffer.from(JSON.stringify(await issuer.publicKey()));
  const tokens: Readonly<Record<string, string>> = {
    'of another branch': await fixture.jobToken({ ref: 'refs/heads/evil' }),
    'of another repository': await fixture.jobToken({ sub: 'repo:evil/ci:ref:refs/heads/main' }),
    'with the claim in a list': await fixture.jobToken({ ref: ['refs/heads/main'] }),
    'of another issuer': await stranger.sign(claims()),
    'of another issuer that says it is this one': await stranger.sign(claims({ iss: issuer.url }), { kid: 'first' }),
    'for another audience': await fixture.jobToken({ aud: 'https://huggingface.co' }),
    'for no audience': await fixture.jobToken({ aud: [] }),
    'that has expired': await fixture.jobToken({ iat: now - 900, exp: now - 300 }),
    'from the future': await fixture.jobToken({ iat: now + 300 }),
    'that lasts for weeks': await fixture.jobToken({ exp: now + 30 * 24 * 3600 }),
    'that never expires': await issuer.sign({ ...CLAIMS, aud: hub.url, iat: now }),
    'signed with another key': await issuer.sign(claims(), { with: foreign.privateKey }),
    'of an unknown key': await issuer.sign(claims(), { kid: 'nobody' }),
    'not signed': `${encoded({ alg: 'none' })}.${encoded({ iss: issuer.url, ...claims() })}.`,
    'signed with the public key as a secret': await new SignJWT({ iss: issuer.url, ...claims() })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(shared),
    malformed: 'token',
  };
  const answers = [];
  for (const [what, token] of Object.entries(tokens)) {
    const { status, body } = await fixture.exchange(token);
    answers.push([what, status, body]);
  }
  for (const resource of ['ada/other', 'ada/nothing', 'datasets/ada/bert', 'ada', 'nobody', '', 'a/b/c/d', 'ada//bert'])
    answers.push([resource, ...Object.values(await fixture.exchange(await fixture.jobToken(), resource))]);
  const refusal = {
    error: 'invalid_grant',
    error_description: 'No trusted publisher of this resource has such a token',
  };
  expect(answers).toEqual(answers.map(([what]) => [what, 400, refusal]));
  // The hub asks no issuer that no publisher names.
  expect(stranger.asked).toEqual([]);
  expect((await fixture.exchange(await fixture.jobToken())).status).toBe(200);
  expect(
    (await fixture.exchange(await fixture.jobToken({ aud: ['https://elsewhere.example', `${hub.url}/`] }))).status,
  ).toBe(200);
});

test('a stolen token of a job is refused at another address, while the job keeps using it', async () => {
  await using fixture = await startFixture({
    MOONBASE_TRUSTED_PROXIES: '127.0.0.1',
    MOONBASE_OUTBOUND_ALLOW: '127.0.0.1',
  });
  expect((await fixture.trust()).status).toBe(200);
  const token = await fixture.jobToken();
  const from = async (address: string) =>
    (await fixture.exchange(token, 'ada/bert', { 'x-forwarded-for': address })).status;
  expect([await from('203.0.113.1'), await from('203.0.113.1'), await from('198.51.100.7')]).toEqual([200, 200, 400]);
  fixture.hub.clock.advance(5 * MINUTE);
  expect([await from('198.51.100.7'), await from('203.0.113.1')]).toEqual([400, 200]);
});

test('a local issuer is accepted only by hubs that may reach it', async () => {
  await using fixture = await startFixture({ MOONBASE_TRUSTED_PROXIES: '127.0.0.1' });
  const { status, body } = await fixture.trust();
  expect([status, body.error]).toEqual([400, 'body.issuer: must begin with https://']);
});

test('creating a publisher needs a recent sign-in and the right to change the repository', async () => {
  await using fixture = await startFixture();
  const { hub, ada, issuer } = fixture;
  const body = { resource: 'ada/bert', issuer: issuer.url, claims: CLAIMS };
  const byToken = await ask(hub.as('ada'), 'POST /api/settings/trusted-publishers', body);
  expect(byToken.status).toBe(403);
  const bob = await withPassword(hub, 'bob');
  const ofBob = (resource: string) => bob.ask('POST /api/settings/trusted-publishers', { ...body, resource });
  expect([(await ofBob('ada/bert')).status, (await ofBob('ada/nothing')).status]).toEqual([404, 404]);
  expect((await ofBob('ada')).status).toBe(400);
  expect((await ofBob('bob')).status).toBe(200);
  for (const change of [
    { issuer: 'ftp://ci.example' },
    { issuer: 'http://ci.example' },
    { issuer: 'https://ci.example/?a=b' },
    { claims: {} },
    { claims: { ref: 'refs/heads/main' } },
    { resource: 'a/b/c' },
  ])
    expect([change, (await ada.ask('POST /api/settings/trusted-publishers', { ...body, ...change })).status]).toEqual([
      change,
      400,
    ]);
  hub.clock.advance(10 * MINUTE);
  const late = await ada.ask('POST /api/settings/trusted-publishers', body);
  expect([late.status, late.headers.get('x-error-code')]).toEqual([403, 'RecentSignInNeeded']);
  await ada.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect((await ada.ask('POST /api/settings/trusted-publishers', body)).status).toBe(200);
});

test('a publisher for an account lets a job read its repositories, but change nothing', async () => {
  await using fixture = await startFixture();
  const { hub } = fixture;
  expect((await fixture.trust('Ada')).body.resource).toBe('ada');
  const { body } = await fixture.exchange(await fixture.jobToken(), 'ada');
  expect(await sees(hub, body.access_token, 'ada/other')).toBe(200);
  const change = await ask(hub.with(body.access_token), 'POST /api/models/ada/other/tag/main', { tag: 'v1' });
  expect(change.status).toBe(403);
  // A request must name the resource of the publisher.
  expect((await fixture.exchange(await fixture.jobToken(), 'ada/bert')).status).toBe(400);
});

test('a publisher’s tokens end with the publisher, its user and the repository', async () => {
  await using fixture = await startFixture();
  const { hub, ada } = fixture;
  const first = (await fixture.trust()).body.id as string;
  const tokenOf = async () => (await fixture.exchange(await fixture.jobToken())).body.access_token as string;
  const token = await tokenOf();
  await disableUser({ ...hub.admin, username: 'ada' });
  expect([(await whoIs(hub, token)).status, await tokenOf()]).toEqual([401, undefined]);
  await enableUser({ ...hub.admin, username: 'ada' });
  expect((await whoIs(hub, token)).status).toBe(200);
  expect((await ask(hub.as('bob'), `DELETE /api/settings/trusted-publishers/${first}`)).status).toBe(404);
  await deleteTrustedPublisher({ ...hub.as('ada'), publisherId: first });
  expect([(await whoIs(hub, token)).status, await tokenOf()]).toEqual([401, undefined]);

  await ada.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  await fixture.trust();
  expect(await tokenOf()).toMatch(/^hf_jwt_/);
  await deleteRepo({ ...hub.as('ada'), repo: 'ada/bert' });
  await createRepo({ ...hub.as('ada'), repo: 'ada/bert' });
  expect(await tokenOf()).toBeUndefined();
  expect((await ada.ask('GET /api/settings/trusted-publishers')).body).toMatchObject([{ resource: null }]);
});

test('keys are fetched once an hour, for an unknown key at most once a minute, and stay valid while the issuer is down', async () => {
  await using fixture = await startFixture();
  const { hub, issuer } = fixture;
  await fixture.trust();
  const works = async () => (await fixture.exchange(await fixture.jobToken())).status === 200;
  const jwks = () => issuer.asked.filter((path) => path === '/jwks').length;
  await Promise.all(Array.from({ length: 5 }, works));
  expect([await works(), jwks()]).toEqual([true, 1]);
  await issuer.rotate();
  expect([await works(), jwks()]).toEqual([false, 1]);
  hub.clock.advance(MINUTE);
  expect([await works(), jwks()]).toEqual([true, 2]);
  for (let attempt = 0; attempt < 5; attempt++)
    await fixture.exchange(await issuer.sign(fixture.claims(), { kid: `none-${attempt}` }));
  expect(jwks()).toBe(2);
  issuer.setDown(true);
  hub.clock.advance(2 * HOUR);
  expect([await works(), await works()]).toEqual([true, true]);
});
