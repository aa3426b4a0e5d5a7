import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { createTestClock } from './clock.ts';
import { startHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { withPassword } from './signed-in.ts';

const BACK = 'https://app.example/callback';

test('openid-client signs a user in, validates the id token in full, refreshes and revokes', async () => {
  // The client compares the times in tokens with its own clock.
  const clock = createTestClock(Date.now());
  await using hub = await startHub({}, { hashing: plainHashing, clock });
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { body: app } = await browser.ask('POST /api/settings/applications', {
    ...{ name: 'Relying party', redirectUris: [BACK], confidential: true, scopes: ['openid', 'profile', 'email'] },
  });
  const config = await client.discovery(new URL(hub.url), app.clientId, app.clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  expect(config.serverMetadata()).toMatchObject({
    issuer: hub.url,
    authorization_response_iss_parameter_supported: true,
  });
  client.enableNonRepudiationChecks(config);

  const verifier = client.randomPKCECodeVerifier();
  const [nonce, state] = [client.randomNonce(), client.randomState()];
  const url = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: BACK, scope: 'openid profile email', nonce, state, code_challenge_method: 'S256' },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
  });
  expect(url.href.startsWith(`${hub.url}/oauth/authorize?`)).toBe(true);
  const { body } = await browser.ask('POST /api/oauth/authorize', {
    ...Object.fromEntries(url.searchParams),
    decision: 'allow',
  });
  const tokens = await client.authorizationCodeGrant(config, new URL(body.location), {
    ...{ pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state },
    ...{ idTokenExpected: true, maxAge: 60 },
  });
  const claims = tokens.claims();
  expect(claims).toMatchObject({ iss: hub.url, aud: app.clientId, preferred_username: 'ada' });
  const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
  expect(info).toMatchObject({ sub: claims?.sub, preferred_username: 'ada' });

  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(next.access_token).not.toBe(tokens.access_token);
  await client.tokenRevocation(config, next.access_token);
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('openid-client logs a program in with a device code', async () => {
  await using hub = await startHub({}, { hashing: plainHashing });
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { body: app } = await browser.ask('POST /api/settings/applications', { name: 'Program' });
  const config = await client.discovery(new URL(hub.url), app.clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const begun = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
  const decided = await browser.ask('POST /api/oauth/device/decision', {
    userCode: begun.user_code,
    decision: 'allow',
  });
  expect(decided.status).toBe(200);
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 });
  expect(tokens.access_token).toMatch(/^hf_oauth_/);
});

test('a hub whose user is named oauth, from before the name was reserved, keeps working', async () => {
  await using hub = await startHub({}, { hashing: plainHashing });
  await hub.people('ada');
  const rename = { name: 'oauth', name_key: 'oauth' };
  await hub.database.transaction((tx) => tx.updateTable('accounts').set(rename).where('name', '=', 'ada').execute());
  const ask = (path: string) =>
    fetch(hub.url + path, { headers: { authorization: `Bearer ${hub.as('ada').accessToken}` } });
  expect((await ask('/api/users/oauth/overview')).status).toBe(200);
  expect((await ask('/.well-known/openid-configuration')).status).toBe(200);
  expect((await ask('/oauth/userinfo')).status).toBe(403);
});
