import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { startHub } from './harness.ts';
import { openProgram, sendForm, whoIs } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { withPassword } from './signed-in.ts';

/** Starts a hub with ada, who is signed in with a browser. */
async function start() {
  const hub = await startHub({}, { hashing: plainHashing });
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const decide = (userCode: string, decision = 'allow') =>
    browser.ask('POST /api/oauth/device/decision', { userCode, decision });
  return { hub, browser, decide, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const eight = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 8 }, ask));
const statusesOf = (answers: readonly { readonly status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

test('one of several concurrent polls gets the tokens of a code', async () => {
  await using set = await start();
  const { poll, userCode } = await openProgram(set.hub);
  await set.decide(userCode);
  expect(statusesOf(await eight(poll))).toEqual([200, ...Array(7).fill(400)]);
});

test('one of several concurrent decisions counts', async () => {
  await using set = await start();
  const { poll, userCode } = await openProgram(set.hub);
  const decisions = ['allow', 'deny', 'allow', 'deny'] as const;
  const answers = await Promise.all(decisions.map((decision) => set.decide(userCode, decision)));
  expect(statusesOf(answers)).toEqual([200, 404, 404, 404]);
  const grants = (await set.browser.ask('GET /api/settings/grants')).body as unknown[];
  expect(grants.length).toBe((await poll()).status === 200 ? 1 : 0);
});

test('row 18: concurrent refreshes, as from processes that share a home, all work until one of the new tokens is used', async () => {
  await using set = await start();
  const { hub } = set;
  const { poll, refresh, userCode } = await openProgram(hub);
  await set.decide(userCode);
  const { body: tokens } = await poll();
  const answers = await eight(() => refresh(tokens.refresh_token));
  expect(statusesOf(answers)).toEqual(Array(8).fill(200));
  expect((await whoIs(hub, answers[3]?.body.access_token)).status).toBe(200);
  expect((await whoIs(hub, answers[5]?.body.access_token)).status).toBe(200);
});

test('row 17: after concurrent exchanges of a code nobody keeps the tokens, because it was used twice', async () => {
  await using set = await start();
  const { hub, browser } = set;
  const redirect_uri = 'https://app.example/callback';
  const { body: app } = await browser.ask('POST /api/settings/applications', {
    ...{ name: 'Reader', redirectUris: [redirect_uri], confidential: true },
  });
  const query = { client_id: app.clientId, redirect_uri, response_type: 'code', decision: 'allow' };
  const { body } = await browser.ask('POST /api/oauth/authorize', query);
  const code = new URL(body.location).searchParams.get('code') ?? '';
  const client = { client_id: app.clientId, client_secret: app.clientSecret };
  const answers = await eight(() =>
    sendForm(hub, '/oauth/token', { ...client, grant_type: 'authorization_code', code, redirect_uri }),
  );
  expect(statusesOf(answers)).toEqual([200, ...Array(7).fill(400)]);
  const won = answers.find(({ status }) => status === 200)?.body;
  expect((await whoIs(hub, won.access_token)).status).toBe(401);
  expect((await sendForm(hub, '/oauth/token', { ...client, ...refreshOf(won) })).body.error).toBe('invalid_grant');
});

const refreshOf = ({ refresh_token }: { refresh_token: string }) => ({ grant_type: 'refresh_token', refresh_token });

test('the token of an application begins no session, and whoever finds it can revoke it', async () => {
  await using set = await start();
  const { hub } = set;
  const { poll, userCode, refresh } = await openProgram(hub);
  await set.decide(userCode);
  const { body: tokens } = await poll();
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    expect((await openBrowser(hub).ask('POST /api/sign-in/token', { token })).status).toBe(401);
    const basic = { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` };
    const { status } = await openBrowser(hub).ask('GET /api/whoami-v2', undefined, basic);
    expect(status).toBe(token === tokens.access_token ? 200 : 401);
  }
  const credentials = [tokens.refresh_token, 'hf_oauth_nobodyHasThis'];
  expect((await openBrowser(hub).ask('POST /api/credentials/revoke', { credentials })).status).toBe(202);
  expect((await whoIs(hub, tokens.access_token)).status).toBe(401);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
});
