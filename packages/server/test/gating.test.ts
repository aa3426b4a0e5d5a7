import { exportAuditLog } from '@moonbase/client/audit-log';
import {
  askAccess,
  askAccessOfType,
  cancelAccessRequest,
  getUserAccessReport,
  grantAccess,
  handleAccessRequest,
  handleAccessRequests,
  listAccessRequests,
} from '@moonbase/client/gating';
import { createRepo, getRepoSettings, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { deleteUser } from '@moonbase/client/users';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { contractFetch } from './contract-fetch.ts';
import { type Connection, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'will', 'rita', 'zoe', 'bob'].map((name) => ({ ...person(name), email: `${name}@example.com` })),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'will', role: 'write' },
          { user: 'rita', role: 'read' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('ada'), repo: 'acme/weights' });
  await gate({ gated: 'manual' });
});
afterEach(() => hub[Symbol.asyncDispose]());

const WEIGHTS = { type: 'model', repo: 'acme/weights' } as const;
const API = '/api/models/acme/weights/user-access-request';
const FILE = '/acme/weights/resolve/main/.gitattributes';

const gate = (settings: object) => ask(hub.as('ada'), 'PUT /api/models/acme/weights/settings', settings);
const reads = async (user: string, file = FILE) => (await ask(hub.as(user), `GET ${file}`)).status;
const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;
const listed = async (status: 'pending' | 'accepted' | 'rejected', caller: Connection = hub.as('will')) =>
  (await listAccessRequests({ ...caller, ...WEIGHTS, status })).map(({ user }) => user.user);
const reject = (user: string, rejectionReason?: string) =>
  handleAccessRequest({ ...hub.as('will'), ...WEIGHTS, user, status: 'rejected', rejectionReason });

/** Commits a card with a form. */
async function writeCard(yaml: string) {
  const files = [{ path: 'README.md', content: `---\n${yaml}\n---\nAbout the weights` }];
  await ask(hub.as('ada'), 'POST /api/models/acme/weights/commit/main', { summary: 'Card', files });
  await hub.drain();
}

test('a user asks, a writer accepts, and the files are open until the access is taken away', async () => {
  expect(await (await ask(hub.as('zoe'), `GET ${FILE}`)).json()).toMatchObject({ accessRequest: 'none' });
  const answer = await ask(hub.as('zoe'), 'POST /acme/weights/ask-access');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${hub.url}/acme/weights`]);
  await askAccess({ ...hub.as('zoe'), repo: 'acme/weights' });
  const waiting = await ask(hub.as('zoe'), `GET ${FILE}`);
  expect([waiting.status, waiting.headers.get('x-error-code')]).toEqual([403, 'GatedRepo']);
  expect(waiting.headers.get('x-error-message')).toContain('awaiting a review');
  expect(await waiting.json()).toMatchObject({ accessRequest: 'pending' });
  const page = await ask(hub.as('will'), `GET ${API}/pending`);
  expect(page.headers.get('x-total-count')).toBe('1');
  expect(await page.json()).toEqual([
    {
      requestId: expect.any(String),
      user: {
        ...{ _id: expect.any(String), user: 'zoe', fullname: 'zoe', avatarUrl: expect.any(String) },
        ...{ isPro: false, type: 'user', email: 'zoe@example.com' },
      },
      status: 'pending',
      timestamp: expect.any(String),
    },
  ]);

  await handleAccessRequest({ ...hub.as('will'), ...WEIGHTS, user: 'zoe', status: 'accepted' });
  expect([await reads('zoe'), await reads('bob')]).toEqual([200, 403]);
  expect(await listed('pending')).toEqual([]);
  expect(await listed('accepted')).toEqual(['zoe']);
  await handleAccessRequest({ ...hub.as('will'), ...WEIGHTS, user: 'zoe', status: 'pending' });
  expect([await reads('zoe'), await listed('pending')]).toEqual([403, ['zoe']]);
  await reject('zoe', 'Not for résumés');
  const rejected = await ask(hub.as('zoe'), `GET ${FILE}`);
  expect(rejected.headers.get('x-error-message')).toContain('you are not in the authorized list');
  expect(await rejected.json()).toMatchObject({
    error: expect.stringContaining('Not for résumés'),
    accessRequest: 'rejected',
  });
  await handleAccessRequest({ ...hub.as('will'), ...WEIGHTS, user: 'zoe', status: 'accepted' });
  expect(await reads('zoe')).toBe(200);
  await cancelAccessRequest({ ...hub.as('zoe'), ...WEIGHTS });
  expect([await reads('zoe'), await listed('accepted')]).toEqual([403, []]);
});

test('with automatic approval a request is accepted at once, and nobody undoes a decision by asking anew', async () => {
  await gate({ gated: 'auto' });
  expect(await reads('zoe')).toBe(403);
  await askAccessOfType({ ...hub.as('zoe'), ...WEIGHTS });
  expect([await reads('zoe'), await listed('accepted')]).toEqual([200, ['zoe']]);
  for (const status of ['rejected', 'pending'] as const) {
    await handleAccessRequest({ ...hub.as('will'), ...WEIGHTS, user: 'zoe', status });
    expect(await statusOf(hub.as('zoe'), `POST ${API}/cancel`)).toBe(403);
    expect(await statusOf(hub.as('zoe'), 'POST /acme/weights/ask-access')).toBe(status === 'rejected' ? 403 : 303);
    expect([status, await reads('zoe')]).toEqual([status, 403]);
  }
  await gate({ gated: false });
  expect(await reads('zoe')).toBe(200);
  await gate({ gated: 'auto' });
  expect(await reads('zoe')).toBe(403);
});

test('the owner, members and writers need no request, readers only if the settings say so', async () => {
  const all = async () => Promise.all(['ada', 'will', 'rita', 'zoe'].map((user) => reads(user)));
  expect(await all()).toEqual([200, 200, 200, 403]);
  expect(await statusOf(hub.as('rita'), 'POST /acme/weights/ask-access')).toBe(400);
  const settings = await updateRepoSettings({
    ...hub.as('ada'),
    ...WEIGHTS,
    settings: { orgMembersGated: true, gatedNotificationsEmail: 'desk@example.com', gatedNotificationsMode: 'bulk' },
  });
  expect(settings).toMatchObject({
    ...{ gated: 'manual', orgMembersGated: true },
    ...{ gatedNotificationsEmail: 'desk@example.com', gatedNotificationsMode: 'bulk' },
  });
  expect(await getRepoSettings({ ...hub.as('will'), ...WEIGHTS })).toEqual(settings);
  for (const user of ['rita', 'zoe'])
    expect(await statusOf(hub.as(user), 'GET /api/models/acme/weights/settings')).toBe(403);
  expect(await all()).toEqual([200, 200, 403, 403]);
  await grantAccess({ ...hub.as('will'), ...WEIGHTS, user: 'rita' });
  expect(await all()).toEqual([200, 200, 200, 403]);
  const [entry] = await exportAuditLog({ ...hub.as('ada'), name: 'acme' });
  expect(entry).toMatchObject({ type: 'repo.update_settings', data: { users: ['rita'], status: 'accepted' } });
});

test('a grant needs no request, tells no address, and is refused for whoever has access', async () => {
  const granted = await grantAccess({ ...hub.as('will'), ...WEIGHTS, user: 'zoe' });
  expect(granted).toMatchObject({ status: 'accepted', user: { user: 'zoe' }, grantedBy: { user: 'will' } });
  expect(granted.user.email).toBeUndefined();
  expect(await reads('zoe')).toBe(200);
  for (const [user, status] of [
    ['zoe', 400],
    ['ada', 400],
    ['rita', 400],
    ['nobody', 404],
    ['acme', 404],
  ] as const)
    expect([user, await statusOf(hub.as('will'), `POST ${API}/grant`, { user })]).toEqual([user, status]);
  await askAccess({ ...hub.as('bob'), repo: 'acme/weights' });
  const accepted = await grantAccess({ ...hub.as('will'), ...WEIGHTS, user: 'bob' });
  expect(accepted).toMatchObject({ status: 'accepted', user: { email: 'bob@example.com' } });
});

test('the form of the card is asked for, and its answers are shown to writers', async () => {
  await writeCard(
    [
      'extra_gated_fields:',
      '  Company: text',
      '  Country: country',
      '  Born: date_picker',
      '  Use:',
      '    type: select',
      '    options: [Research, {label: Other, value: other}]',
      '  I agree: checkbox',
    ].join('\n'),
  );
  const fields = { Company: 'Acme', Country: 'CH', Born: '1990-02-03', Use: 'other', 'I agree': 'on' };
  const send = (changed: object) => ask(hub.as('zoe'), 'POST /acme/weights/ask-access', { ...fields, ...changed });
  for (const wrong of [{ Company: ' ' }, { Born: 'May' }, { Use: 'Other' }, { 'I agree': 'false' }]) {
    const refused = await send(wrong);
    const [name] = Object.keys(wrong);
    expect([refused.status, await refused.json()]).toMatchObject([400, { issues: [{ path: `body.${name}` }] }]);
  }
  expect(await listed('pending')).toEqual([]);
  const form = new URLSearchParams({ ...fields, 'Not asked': 'x' }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await statusOf(hub.as('zoe'), 'POST /models/acme/weights/ask-access', form, type)).toBe(303);
  const [request] = await listAccessRequests({ ...hub.as('will'), ...WEIGHTS, status: 'pending' });
  expect(request?.fields).toEqual({ ...fields, 'I agree': true });
});

test('lists have pages, and many requests are handled at once', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `user-${String(at).padStart(2, '0')}`);
  await hub.people(...names);
  for (const name of names) await askAccess({ ...hub.as(name), repo: 'acme/weights' });
  const first = await ask(hub.as('will'), `GET ${API}/pending?limit=10`);
  const users = async (answer: Response) =>
    ((await answer.json()) as { user: { user: string } }[]).map(({ user }) => user.user);
  expect([first.headers.get('x-total-count'), await users(first)]).toEqual(['12', names.toReversed().slice(0, 10)]);
  const [next = ''] = /(?<=<)[^>]+/.exec(first.headers.get('link') ?? '') ?? [];
  const second = await contractFetch(next, { headers: { authorization: `Bearer ${hub.as('will').accessToken}` } });
  expect([await users(second), second.headers.get('link')]).toEqual([['user-01', 'user-00'], null]);

  const answers = await handleAccessRequests({
    ...{ ...hub.as('will'), ...WEIGHTS, status: 'accepted' },
    requests: [{ user: 'user-03' }, { user: 'nobody' }, { user: 'bob' }, { user: 'user-04' }],
  });
  expect(answers).toEqual([
    { user: 'user-03', userId: expect.any(String), ok: true },
    { user: 'nobody', ok: false, error: 'user_not_found' },
    { user: 'bob', ok: false, error: 'request_not_found' },
    { user: 'user-04', userId: expect.any(String), ok: true },
  ]);
  expect(await listed('accepted')).toEqual(['user-04', 'user-03']);
  const report = await ask(hub.as('will'), 'GET /acme/weights/user-access-report');
  expect(report.headers.get('content-disposition')).toContain('attachment');
  const lines = await getUserAccessReport({ ...hub.as('will'), repo: 'acme/weights' });
  expect(lines).toHaveLength(12);
  expect(lines[8]).toMatchObject({ user: 'user-03', status: 'accepted', reviewedAt: expect.any(String) });
});

test('only those who may write see and handle requests, and strangers learn nothing', async () => {
  await askAccess({ ...hub.as('zoe'), repo: 'acme/weights' });
  const requests = [
    [`GET ${API}/pending`, undefined],
    ['GET /acme/weights/user-access-report', undefined],
    [`POST ${API}/handle`, { user: 'zoe', status: 'accepted' }],
    [`POST ${API}/batch`, { requests: [{ user: 'zoe' }], status: 'accepted' }],
    [`POST ${API}/grant`, { user: 'zoe' }],
  ] as const;
  for (const [request, body] of requests) {
    for (const user of ['zoe', 'rita'])
      expect([request, await statusOf(hub.as(user), request, body)]).toEqual([request, 403]);
    expect([request, await statusOf({ hubUrl: hub.url }, request, body)]).toEqual([request, 401]);
  }
  await gate({ private: true });
  for (const [request, body] of requests)
    expect([request, await statusOf(hub.as('zoe'), request, body)]).toEqual([request, 404]);
  expect(await statusOf(hub.as('zoe'), 'POST /acme/weights/ask-access')).toBe(404);
  await gate({ private: false, gated: false });
  for (const [request, body] of requests)
    expect([request, await statusOf(hub.as('ada'), request, body)]).toEqual([request, 400]);
  expect(await reads('zoe')).toBe(200);
});

test('bad decisions change nothing', async () => {
  await askAccess({ ...hub.as('zoe'), repo: 'acme/weights' });
  for (const [body, status] of [
    [{ user: 'zoe', status: 'pending' }, 400],
    [{ user: 'zoe', status: 'accepted', rejectionReason: 'x' }, 400],
    [{ user: 'zoe', status: 'rejected', rejectionReason: 'x'.repeat(201) }, 400],
    [{ user: 'zoe', userId: 'a'.repeat(24), status: 'accepted' }, 400],
    [{ status: 'accepted' }, 400],
    [{ user: 'zoe', status: 'granted' }, 400],
    [{ user: 'bob', status: 'accepted' }, 404],
    [{ user: 'nobody', status: 'accepted' }, 404],
    [{ requestId: 'a'.repeat(24), status: 'accepted' }, 404],
  ] as const)
    expect([body, await statusOf(hub.as('will'), `POST ${API}/handle`, body)]).toEqual([body, status]);
  expect(await listed('pending')).toEqual(['zoe']);
});

test('a grant stays with the repository when it is renamed or moved, and opens no other of the old name', async () => {
  await grantAccess({ ...hub.as('will'), ...WEIGHTS, user: 'zoe' });
  await moveRepo({ ...hub.as('ada'), from: 'acme/weights', to: 'ada/weights' });
  const moved = FILE.replace('acme', 'ada');
  expect([await reads('zoe', moved), await reads('will', moved), await reads('ada', moved)]).toEqual([200, 403, 200]);
  await createRepo({ ...hub.as('ada'), repo: 'acme/weights' });
  await gate({ gated: 'manual' });
  expect(await reads('zoe')).toBe(403);
  expect(await listed('accepted')).toEqual([]);
});

test('requests go with their user', async () => {
  await askAccess({ ...hub.as('zoe'), repo: 'acme/weights' });
  await deleteUser({ ...hub.admin, username: 'zoe' });
  expect(await listed('pending')).toEqual([]);
});
