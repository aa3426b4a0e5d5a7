import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { person, startHub, type TestHub, tokenOf } from '../../packages/server/test/harness.ts';

/**
 * A browser that has asked ada for a login, as it does for the addresses of git, remembers it for the whole hub, and adds it as
 * `Basic` to the requests of every page, also of a hostile one, which can send a body-less POST or a form without asking.
 */
const PUBLIC = { MOONBASE_PUBLIC_URL: 'http://hub.example' };
const REMEMBERED = `Basic ${Buffer.from(`ada:${tokenOf('ada')}`).toString('base64')}`;
const FOREIGN = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: 'http://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'http://hub.example:8080' },
  { origin: 'http://evil.example' },
  { origin: 'null' },
];

/** Sends a request of a page; `headers` are those that the browser adds. */
const send = (
  hub: TestHub,
  request: Parameters<typeof ask>[1],
  headers: Readonly<Record<string, string>>,
  body?: string,
) => ask({ hubUrl: hub.url }, request, body, { authorization: REMEMBERED, ...headers });

async function startWithRepo() {
  const hub = await startHub(PUBLIC);
  await hub.apply({ users: ['ada', 'bob'].map(person) });
  await createRepo({ ...hub.as('bob'), repo: 'bob/open' });
  await updateRepoSettings({ ...hub.as('bob'), type: 'model', repo: 'bob/open', settings: { gated: 'auto' } });
  return hub;
}

test('changes nothing for a page of another origin, without a body or with a form', async () => {
  await using hub = await startWithRepo();
  for (const foreign of FOREIGN) {
    expect((await send(hub, 'POST /api/models/bob/open/like', foreign)).status).toBe(403);
    const form = { ...foreign, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    // Whoever asks for access shows the authors an address.
    expect((await send(hub, 'POST /bob/open/ask-access', form, 'name=ada')).status).toBe(403);
  }
  const { database } = hub;
  for (const table of ['likes', 'access_requests'] as const)
    expect(await database.read.selectFrom(table).selectAll().execute()).toEqual([]);
});

test('works for pages of the hub and for programs, and where a page needs the permission of the hub', async () => {
  await using hub = await startWithRepo();
  const path = 'POST /api/models/bob/open/like';
  for (const own of [{}, { 'sec-fetch-site': 'same-origin' }, { origin: 'http://hub.example' }])
    expect((await send(hub, path, own)).status).toBe(200);
  const json = { ...FOREIGN[0], 'content-type': 'application/json' };
  expect((await send(hub, 'POST /api/repos/create', json, '{"name":"mine","type":"model"}')).status).toBe(200);
  expect((await send(hub, path, { ...FOREIGN[0], authorization: `Bearer ${tokenOf('ada')}` })).status).toBe(200);
  expect((await send(hub, 'GET /api/whoami-v2', FOREIGN[0] ?? {})).status).toBe(200);
});
