import { createAccessToken, listAccessTokens, listUserTokens } from '@moonbase/client/access-tokens';
import { applyHub } from '@moonbase/client/admin';
import { listMemberTokens, updateTokenPolicy } from '@moonbase/client/member-tokens';
import { streamNotifications } from '@moonbase/client/notifications';
import { updateOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { openBrowser } from './browser.ts';
import { DAY, HOUR, SECOND } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice');
});

const after = (ms: number) => new Date(hub.clock.now() + ms).toISOString();
let made = 0;
const create = (expiresAt: string | undefined, by = hub.as('alice')) => {
  made += 1;
  return createAccessToken({ ...by, displayName: `token ${made}`, role: 'write', expiresAt });
};
const status = async (token: string, request: `GET ${string}` = 'GET /api/whoami-v2') =>
  (await ask(hub.with(token), request)).status;

test('a token is unknown from the moment it expires, and is listed with its expiry', async () => {
  const expiresAt = after(HOUR);
  const { token, id } = await create(expiresAt);
  expect((await whoAmI(hub.with(token))).auth).toMatchObject({ type: 'access_token', expiresAt });
  const listed = { id, expiresAt };
  expect((await collect(listAccessTokens(hub.as('alice'))))[0]).toMatchObject(listed);
  expect((await collect(listUserTokens({ ...hub.admin, username: 'alice' })))[0]).toMatchObject(listed);
  hub.clock.advance(HOUR - 1);
  expect(await status(token)).toBe(200);
  hub.clock.advance(1);
  const answers = await Promise.all(
    [token, 'hf_nobodyHasThisToken'].map(async (text) => {
      const answer = await ask(hub.with(text), 'GET /api/whoami-v2');
      return [answer.status, await answer.text()];
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.[0]).toBe(401);
  expect((await collect(listAccessTokens(hub.as('alice'))))[0]).toMatchObject(listed);
});

test('the streams of a token end when it expires, and those of others continue', async () => {
  const other = streamNotifications(hub.as('alice'));
  const { token } = await create(after(SECOND / 2));
  const stream = streamNotifications(hub.with(token));
  await Promise.all([other.next(), stream.next()]);
  const ended = collect(stream);
  hub.clock.advance(SECOND / 2);
  const startedAt = performance.now();
  await ended;
  // Without a timer, a stream checks its caller only after 15 s.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await status(token)).toBe(401);
  await other.return();
});

test('the streams of a token end when a hub document removes the token', async () => {
  const { token } = await create(undefined);
  const stream = streamNotifications(hub.with(token));
  await stream.next();
  const ended = collect(stream);
  const startedAt = performance.now();
  await applyHub({
    ...hub.admin,
    document: { users: [{ name: 'alice', tokens: [{ name: `token ${made}`, state: 'absent' }] }] },
  });
  await ended;
  // Without a signal, a stream checks its caller only after 15 s.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a session that was begun with a token ends when the token expires', async () => {
  const expiresAt = after(HOUR);
  const { token } = await create(expiresAt);
  const browser = openBrowser(hub);
  expect((await browser.ask('POST /api/sign-in/token', { token })).body).toMatchObject({ expiresAt });
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(200);
  hub.clock.advance(HOUR);
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await openBrowser(hub).ask('POST /api/sign-in/token', { token })).status).toBe(401);
});

test('an expiring token cannot create one that lives longer', async () => {
  const { token } = await create(after(HOUR));
  const by = hub.with(token);
  for (const expiresAt of [undefined, after(HOUR + 1)])
    await expect(create(expiresAt, by)).rejects.toMatchObject({ status: 400 });
  await create(after(HOUR), by);
});

test.each([
  ['the past', () => after(-1)],
  ['now', () => after(0)],
  ['no time', () => 'tomorrow'],
])('%s is refused', async (_, expiresAt) => {
  const body = { displayName: 'laptop', role: 'write', expiresAt: expiresAt() };
  const answer = await ask(hub.as('alice'), 'POST /api/settings/tokens', body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: expect.stringContaining('body.expiresAt') });
});

test('a hub document sets, changes and removes the expiry of a token', async () => {
  const token = 'hf_tokenOfTheRobotOfAcme';
  const tokens = (expiresAt: string | null) => ({
    users: [{ name: 'robot', tokens: [{ name: 'ci', token, expiresAt }] }],
  });
  const counts = async (expiresAt: string | null) =>
    ((await hub.apply(tokens(expiresAt))) as { tokens: object }).tokens;
  const [soon, late] = [after(HOUR), after(DAY)];
  expect(await counts(soon)).toMatchObject({ created: 1 });
  expect(await counts(soon)).toMatchObject({ unchanged: 1 });
  hub.clock.advance(HOUR);
  expect(await status(token)).toBe(401);
  expect(await counts(late)).toMatchObject({ updated: 1 });
  expect((await whoAmI(hub.with(token))).auth).toMatchObject({ expiresAt: late });
  expect(await counts(null)).toMatchObject({ updated: 1 });
  hub.clock.advance(2 * DAY);
  expect(await status(token)).toBe(200);
});

describe('an organization that limits the lifetime of tokens', () => {
  const acme = { name: 'acme' };
  beforeEach(async () => {
    await hub.apply({
      users: [person('root')],
      organizations: [
        {
          ...{ name: 'acme', plan: 'enterprise' },
          members: [
            { user: 'root', role: 'admin' },
            { user: 'alice', role: 'write' },
          ],
        },
      ],
    });
    await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
  });

  const demand = (maxDays: number | null, by = hub.as('root')) => updateTokenPolicy({ ...by, ...acme, maxDays });
  const reach = (token: string) => status(token, 'GET /api/models/acme/secret');

  test('is reached only by tokens that expire early enough, until the limit is removed', async () => {
    const [never, late, intime] = await Promise.all([
      create(undefined),
      create(after(31 * DAY)),
      create(after(30 * DAY)),
    ]);
    const { token: root } = await create(after(DAY), hub.as('root'));
    await demand(30, hub.with(root));
    expect(await updateOrganization({ ...hub.with(root), ...acme, change: {} })).toMatchObject({ tokenMaxDays: 30 });
    expect([await reach(never.token), await reach(late.token), await reach(intime.token)]).toEqual([403, 403, 200]);
    // The age of a token does not help, since its whole life counts.
    hub.clock.advance(2 * DAY);
    expect(await reach(late.token)).toBe(403);
    // The rule applies to admins, too.
    expect((await ask(hub.as('root'), 'GET /api/models/acme/secret')).status).toBe(403);
    expect((await whoAmI(hub.with(never.token))).orgs).toMatchObject([{ securityRestrictions: ['token-policy'] }]);
    const { token: again } = await create(after(DAY), hub.as('root'));
    const listed = await collect(listMemberTokens({ ...hub.with(again), ...acme }));
    expect(listed).toContainEqual(expect.objectContaining({ user: 'alice', expiresAt: intime.expiresAt }));
    await demand(null, hub.with(again));
    expect(await reach(never.token)).toBe(200);
  });

  test('does not refuse the token of the admin who sets the limit', async () => {
    await expect(demand(30)).rejects.toMatchObject({ status: 400 });
    expect((await ask(hub.as('root'), 'GET /api/models/acme/secret')).status).toBe(200);
    const { token } = await create(after(30 * DAY), hub.as('root'));
    await demand(30, hub.with(token));
    await expect(demand(29, hub.with(token))).rejects.toMatchObject({ status: 400 });
  });

  test.each([0, -1, 1.5, 4000, '30'])('never demands %j days', async (maxDays) => {
    const path = 'PATCH /api/organizations/acme/settings/tokens/policy';
    expect((await ask(hub.as('root'), path, { maxDays })).status).toBe(400);
  });
});
