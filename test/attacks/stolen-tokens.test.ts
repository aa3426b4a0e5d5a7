import {
  createAccessToken,
  deleteAccessToken,
  deleteUserToken,
  listAccessTokens,
} from '@moonbase/client/access-tokens';
import { listSiteAuditLog } from '@moonbase/client/audit-log';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { type Connection, collect, startHub, type TestHub } from '../../packages/server/test/harness.ts';

/*
 * Whoever steals a token makes further ones with it, so that the owner who deletes the stolen one would not be rid of them.
 */

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice', 'bob');
});

const made = (by: Connection, displayName: string) => createAccessToken({ ...by, displayName, role: 'write' });
const works = async ({ token }: { readonly token: string }) =>
  (await ask(hub.with(token), 'GET /api/whoami-v2')).status === 200;

/** A stolen token of alice, with one that it made, one that this made, and one that has nothing to do with them. */
async function theft() {
  const stolen = await made(hub.as('alice'), 'stolen');
  const second = await made(hub.with(stolen.token), 'second');
  const third = await made(hub.with(second.token), 'third');
  const other = await made(hub.as('alice'), 'other');
  return { stolen, second, third, other, all: [stolen, second, third, other] };
}

test('the list says which token made a token, and those go with it, directly or indirectly', async () => {
  const { stolen, second, third, other, all } = await theft();
  const [first] = (await collect(listAccessTokens(hub.as('alice')))).slice(-1);
  const makers = async () =>
    (await collect(listAccessTokens(hub.as('alice')))).map(({ displayName, createdBy }) => [displayName, createdBy]);
  expect(third.createdBy).toBe(second.id);
  expect(await makers()).toEqual([
    ['other', first?.id],
    ['third', second.id],
    ['second', stolen.id],
    ['stolen', first?.id],
    [first?.displayName, undefined],
  ]);
  await deleteAccessToken({ ...hub.as('alice'), tokenId: stolen.id });
  expect(await Promise.all(all.map(works))).toEqual([false, false, false, true]);
  expect(await makers()).toEqual([
    ['other', first?.id],
    [first?.displayName, undefined],
  ]);
  const events = (await collect(listSiteAuditLog({ ...hub.admin, q: 'type:token.delete' }))).slice(0, 3);
  expect(events.map(({ message }) => message).toReversed()).toEqual([
    'Revoked the access token stolen of alice',
    'Revoked the access token second of alice, which was made with stolen',
    'Revoked the access token third of alice, which was made with stolen',
  ]);
  expect(events[0]?.data).toMatchObject({ token: { id: third.id }, madeWith: { id: stolen.id, name: 'stolen' } });
  expect(other.createdBy).toBe(first?.id);
});

test('a token that deletes what is between itself and its maker, and keeps itself, goes nevertheless', async () => {
  const { stolen, second, third, all } = await theft();
  await deleteAccessToken({ ...hub.with(third.token), tokenId: second.id, keepCreated: true });
  expect(await Promise.all(all.map(works))).toEqual([true, false, true, true]);
  await deleteUserToken({ ...hub.admin, username: 'alice', tokenId: stolen.id });
  expect(await Promise.all(all.map(works))).toEqual([false, false, false, true]);
});

test('whoever wants to keeps what a token made', async () => {
  const { stolen, all } = await theft();
  await deleteUserToken({ ...hub.admin, username: 'alice', tokenId: stolen.id, keepCreated: true });
  expect(await Promise.all(all.map(works))).toEqual([false, true, true, true]);
});

test('nobody else deletes them, and a wrong option deletes none', async () => {
  const { stolen, all } = await theft();
  for (const [by, status] of [
    [hub.as('bob'), 404],
    [hub.as('alice'), 400],
  ] as const)
    expect(
      (await ask(by, `DELETE /api/settings/tokens/${stolen.id}?keepCreated=${status === 400 ? 'no' : 'false'}`)).status,
    ).toBe(status);
  expect(await Promise.all(all.map(works))).toEqual([true, true, true, true]);
});
