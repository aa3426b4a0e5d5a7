import { createAccessToken, deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { exportSiteAuditLog } from '@moonbase/client/audit-log';
import { createDiscussion, deleteDiscussion } from '@moonbase/client/discussions';
import { getOwnQuotas, getQuota, updateQuota } from '@moonbase/client/quotas';
import { createRepo, getRepo } from '@moonbase/client/repositories';
import { openWebhookStream } from '@moonbase/client/webhook-streams';
import { createWebhook, deleteWebhook, listWebhooks } from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { HOUR, MINUTE, SECOND } from './clock.ts';
import { contentHub, ndjson } from './content-hub.ts';
import { collect } from './harness.ts';

const BIG = 'ask a site administrator for a larger quota';
const UNLIMITED = { limit: null, isDefault: true, default: null };

async function start(settings: Readonly<Record<string, string>> = {}) {
  const at = await contentHub({}, settings);
  const { hub } = at;
  const ada = hub.as('ada');
  await createRepo({ ...ada, repo: 'ada/other' });
  type Given = Omit<Parameters<typeof updateQuota>[0], keyof typeof ada | 'name'>;
  const set = (given: Given, name = 'ada') => updateQuota({ ...hub.admin, name, ...given });
  const hook = async () => (await createWebhook({ ...ada, webhook: HOOK })).webhook.id;
  const token = (displayName: string) => createAccessToken({ ...ada, displayName, role: 'read' });
  const open = (title: string, repo = 'ada/m') =>
    createDiscussion({ ...ada, type: 'model', repo, title, description: 'Hello' });
  return { ...at, ada, set, hook, token, open };
}

const HOOK = {
  url: 'https://example.com/hook',
  watched: [{ type: 'user' as const, name: 'ada' }],
  domains: ['repo' as const],
};

/** Returns what a call is refused with; undefined if it is not. */
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    ({ status, message }) => [status, message],
  );

const statusOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 200,
    ({ status }) => status,
  );

/** Counts the calls that succeed, all of them at once. */
const successes = async (calls: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;

describe('the quota of webhooks', () => {
  test('is that of the settings until a user has one, counts neither streams nor deleted ones, and changes nothing', async () => {
    await using at = await start({ MOONBASE_MAX_WEBHOOKS: '1' });
    const { hub, ada, set, hook } = at;
    const full = (text: string) => [409, `You may have ${text}; delete one that you do not need, or ${BIG}`];
    await openWebhookStream({ ...ada, stream: { watched: [...HOOK.watched] } });
    const first = await hook();
    expect(await refusal(hook())).toEqual(full('1 webhook'));
    expect(await set({ webhooks: 3 })).toMatchObject({
      webhooks: { used: 1, limit: 3, isDefault: false, default: 1 },
      tokens: { used: 1, ...UNLIMITED },
      discussions: { used: 0, ...UNLIMITED },
      storageGib: null,
    });
    await hook();
    await hook();
    expect(await refusal(hook())).toEqual(full('3 webhooks'));
    expect(await listWebhooks(ada)).toHaveLength(3);
    await deleteWebhook({ ...ada, webhookId: first });
    await hook();
    await set({ webhooks: 0 });
    expect(await refusal(hook())).toEqual(full('no webhooks'));
    expect((await getOwnQuotas(ada)).webhooks).toEqual({ used: 3, limit: 0 });
    expect(await set({ webhooks: 'default' })).toMatchObject({ webhooks: { used: 3, limit: 1, isDefault: true } });
    expect(await refusal(createWebhook({ ...hub.as('bob'), webhook: HOOK }))).toBeUndefined();
  });

  test('is not exceeded by requests at once', async () => {
    await using at = await start({ MOONBASE_MAX_WEBHOOKS: '2' });
    expect(await successes(Array.from({ length: 5 }, at.hook))).toBe(2);
    expect((await getOwnQuotas(at.ada)).webhooks).toEqual({ used: 2, limit: 2 });
  });
});

describe('the quota of access tokens', () => {
  test('refuses what a user makes; what site administrators give counts and is not refused', async () => {
    await using at = await start({ MOONBASE_MAX_TOKENS: '2' });
    const { hub, ada, token, set } = at;
    const full = (text: string) => [409, `You may have ${text}; delete one that you do not need, or ${BIG}`];
    const { id } = await token('second');
    expect(await refusal(token('third'))).toEqual(full('2 access tokens'));
    await hub.apply({ users: [{ name: 'ada', tokens: [{ name: 'given', role: 'read' }] }] });
    expect((await getOwnQuotas(ada)).tokens).toEqual({ used: 3, limit: 2 });
    await deleteAccessToken({ ...ada, tokenId: id });
    expect(await refusal(token('third'))).toEqual(full('2 access tokens'));
    await set({ tokens: null });
    for (const name of ['a', 'b', 'c']) await token(name);
    expect((await getOwnQuotas(ada)).tokens).toEqual({ used: 5, limit: null });
    expect(await refusal(createAccessToken({ ...hub.as('bob'), displayName: 'x', role: 'read' }))).toBeUndefined();
  });

  test('is not exceeded by requests at once, nor by a token that makes others', async () => {
    await using at = await start({ MOONBASE_MAX_TOKENS: '3' });
    const { hub, token } = at;
    expect(await successes(['a', 'b', 'c', 'd'].map(token))).toBe(2);
    const own = hub.as('ada');
    expect(await statusOf(createAccessToken({ ...own, displayName: 'more', role: 'write' }))).toBe(409);
    expect(await collect(listAccessTokens(own))).toHaveLength(3);
  });
});

describe('the daily quota of discussions', () => {
  const full = (text: string, seconds: number) => [
    429,
    `You may open ${text} in 24 hours, pull requests included; ${BIG}, or wait; try again in ${seconds} s`,
  ];

  test('counts discussions and pull requests of any 24 hours, and says when there is room again', async () => {
    await using at = await start({ MOONBASE_DISCUSSION_DAILY_LIMIT: '2' });
    const { hub, ada, open, ask: fetchFrom } = at;
    await open('One');
    hub.clock.advance(HOUR);
    const proposal = { summary: 'Better', files: { 'a.txt': 'b' } };
    const propose = () =>
      fetchFrom('/api/models/ada/m/commit/main?create_pr=1', {
        method: 'POST',
        body: ndjson(proposal),
        headers: { 'content-type': 'application/x-ndjson' },
      });
    expect((await propose()).status).toBe(200);
    const refused = await propose();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(23 * 3600)]);
    expect(await refusal(open('Three', 'ada/other'))).toEqual(full('2 discussions', 23 * 3600));
    const draft = createDiscussion({
      ...{ ...ada, type: 'model', repo: 'ada/m', title: 'Draft', description: '.', pullRequest: true },
    });
    expect(await statusOf(draft)).toBe(429);
    expect((await getOwnQuotas(ada)).discussions).toEqual({ used: 2, limit: 2 });
    hub.clock.advance(23 * HOUR - MINUTE);
    expect(await refusal(open('Three'))).toEqual(full('2 discussions', 60));
    hub.clock.advance(MINUTE + SECOND);
    expect(await open('Three')).toMatchObject({ num: 3 });
    expect(await refusal(open('Four'))).toEqual(full('2 discussions', 3599));
    const bob = { ...hub.as('bob'), type: 'model', repo: 'ada/m', title: 'Of bob', description: '.' } as const;
    expect(await refusal(createDiscussion(bob))).toBeUndefined();
  });

  test('changes nothing when it refuses, and counts no deleted ones', async () => {
    await using at = await start();
    const { ada, set, open } = at;
    await set({ discussions: 1 });
    const { num } = await open('One');
    expect(await statusOf(open('Two'))).toBe(429);
    await deleteDiscussion({ ...ada, type: 'model', repo: 'ada/m', num });
    expect((await open('Two')).num).toBe(2);
    await set({ discussions: 0 });
    expect(await refusal(open('Three'))).toEqual([403, `You may open no discussions and pull requests; ${BIG}`]);
    await set({ discussions: null });
    expect((await open('Three')).num).toBe(3);
    expect(await getRepo({ ...ada, type: 'model', repo: 'ada/m' })).toMatchObject({ id: 'ada/m' });
  });

  test('is not exceeded by requests at once in different repositories', async () => {
    await using at = await start({ MOONBASE_DISCUSSION_DAILY_LIMIT: '3' });
    const { ada, open } = at;
    const calls = Array.from({ length: 8 }, (_, n) => open(`Number ${n}`, n % 2 === 0 ? 'ada/m' : 'ada/other'));
    expect(await successes(calls)).toBe(3);
    expect((await getOwnQuotas(ada)).discussions).toEqual({ used: 3, limit: 3 });
  });
});

describe('quotas are set', () => {
  test('by site administrators, several at once, each change once in the log of the hub', async () => {
    await using at = await start();
    const { hub, ada, set } = at;
    await set({ webhooks: 2000, tokens: 5, storageGib: 1 });
    await set({ webhooks: 2000, tokens: null, discussions: 10 });
    await set({ discussions: 'default' });
    const events = (await exportSiteAuditLog(hub.admin)).filter(({ type }) => type === 'quota.update').reverse();
    expect(events.map(({ message }) => message)).toEqual([
      'Set the storage quota of ada to 1 GiB',
      'Set the webhook quota of ada to 2,000',
      'Set the token quota of ada to 5',
      'Set the token quota of ada to no limit',
      'Set the daily quota of discussions of ada to 10',
      'Set the daily quota of discussions of ada to the default, no limit',
    ]);
    expect(events[1]?.data).toMatchObject({
      ...{ user: { name: 'ada' }, before: { webhooks: 100, isDefault: true } },
      after: { webhooks: 2000, isDefault: false },
    });
    expect(await statusOf(updateQuota({ ...ada, name: 'ada', webhooks: 9 }))).toBe(403);
    expect(await statusOf(getQuota({ ...ada, name: 'bob' }))).toBe(403);
  });

  test('within bounds, and not for organizations; anything else changes nothing', async () => {
    await using at = await start();
    const { hub, set } = at;
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'admin' }] }] });
    const before = await getQuota({ ...hub.admin, name: 'ada' });
    const refusalOf = async (body: unknown, name = 'ada') => {
      const answer = await ask(hub.admin, `PUT /api/admin/quotas/${name}`, body);
      return [answer.status, JSON.parse(await answer.text()).error];
    };
    const count = 'must be a whole number from 0 to 100000, null for no limit, or "default"';
    expect(await refusalOf({})).toEqual([400, 'body: must have at least one quota']);
    for (const value of ['5', 'none', true, [], 1.5])
      expect(await refusalOf({ tokens: 1, discussions: value })).toEqual([
        400,
        expect.stringContaining('body.discussions: '),
      ]);
    expect(await refusalOf({ tokens: 'many' })).toEqual([400, `body.tokens: ${count}`]);
    expect(await refusalOf({ webhooks: null })).toEqual([
      400,
      'body.webhooks: must be a whole number from 0 to 10000, or "default"',
    ]);
    expect((await refusalOf({ webhooks: 10_001 }))[0]).toBe(400);
    expect((await refusalOf({ tokens: -1 }))[0]).toBe(400);
    expect(await refusalOf({ storageGib: 1, tokens: 1 }, 'acme')).toEqual([
      400,
      'body.tokens: is a quota of users; an organization has only storageGib',
    ]);
    expect(await getQuota({ ...hub.admin, name: 'ada' })).toEqual(before);
    const acme = await getQuota({ ...hub.admin, name: 'acme' });
    expect(acme).toEqual({
      ...{ name: 'acme', type: 'org', usedBytes: 0, storageGib: null, isDefault: true, defaultStorageGib: null },
    });
    await set({ tokens: 0 });
    expect(await getQuota({ ...hub.admin, name: 'ada' })).toMatchObject({ tokens: { limit: 0 } });
  });
});
