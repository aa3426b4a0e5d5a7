import { createAccessToken, deleteAccessToken } from '@moonbase/client/access-tokens';
import { exportSiteAuditLog, listAuditLog } from '@moonbase/client/audit-log';
import { denyMemberToken, updateTokenPolicy } from '@moonbase/client/member-tokens';
import { removeMember } from '@moonbase/client/members';
import {
  createMirror,
  deleteMirror,
  getMirror,
  listMirrors,
  removeMirror,
  syncMirror,
  updateMirror,
} from '@moonbase/client/mirrors';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import { createResourceGroup, setRepoResourceGroup } from '@moonbase/client/resource-groups';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bareRemote } from './bare-remote.ts';
import { DAY } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub, tokenOf } from './harness.ts';
import { holdingProxy } from './holding-proxy.ts';
import { commitTo, mirrorHubs, ORIGIN, refsOf } from './mirror-hubs.ts';
import { plainHashing } from './plain-hashing.ts';
import { withPassword } from './signed-in.ts';

/**
 * bob writes in acme, whose admin is ada, and lets acme/weather follow a repository of another hub. The tests take away
 * what he, or the token that he used, may do.
 */
const MIRROR = { type: 'model', repo: 'acme/weather' } as const;
const MAIN = 'refs/heads/main';

let hub: TestHub;
let source: TestHub;
let ada: Connection;
let bob: Connection;
let url: string;

beforeEach(async () => {
  [hub, source] = [await startHub({}, { hashing: plainHashing }), await startHub()];
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await source[Symbol.asyncDispose]();
  });
  await source.people('ada');
  await createRepo({ ...source.as('ada'), repo: ORIGIN.repo, private: true });
  url = `${source.url}/${ORIGIN.repo}`;
  await hub.apply({
    users: ['ada', 'bob', 'carol', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'bob', role: 'write' },
          { user: 'carol', role: 'write' },
        ],
      },
    ],
  });
  [ada, bob] = [hub.as('ada'), hub.as('bob')];
  await createRepo({ ...ada, repo: MIRROR.repo, private: true });
});

const follow = (who: Connection, more: { token?: string; interval?: number } = {}) =>
  createMirror({ ...who, ...MIRROR, url, token: tokenOf('ada'), ...more });
const change = () => commitTo(source.as('ada'), ORIGIN, { 'a.txt': `${Math.random()}` });
const stateFor = (who: Connection = ada) => getMirror({ ...who, ...MIRROR });

/** Makes a change at the remote, and syncs; returns whether it has arrived. */
async function arrives(who: Connection = ada, repo: string = MIRROR.repo): Promise<boolean> {
  const head = await change();
  await syncMirror({ ...who, type: 'model', repo });
  await hub.drain();
  return (await refsOf(who, { type: 'model', repo }))[MAIN] === head;
}

const idOf = async (name: string) =>
  (await hub.database.read.selectFrom('accounts').select('id').where('name_key', '=', name).executeTakeFirstOrThrow())
    .id;
const repoId = async () =>
  (
    await hub.database.read
      .selectFrom('repositories')
      .select('id')
      .where('name_key', '=', 'weather')
      .executeTakeFirstOrThrow()
  ).id;

async function furtherToken(scopes?: readonly { readonly id: string; readonly words: readonly string[] }[]) {
  const scoped = scopes?.map(({ id, words }) => ({ entity: { _id: id, type: 'model' }, permissions: [...words] }));
  const { id, token } = await createAccessToken({
    ...bob,
    displayName: 'further',
    ...(scoped ? { role: 'fineGrained', fineGrained: { scoped: scoped as never } } : { role: 'write' }),
  });
  return { ...hub.with(token), id };
}

describe('a mirror stops, with the reason, when', () => {
  /** Each way in which bob, or his token, loses what a mirror needs, and the way back where there is one. */
  const LOSSES: [
    string,
    RegExp,
    (token: Connection & { id: string }) => Promise<unknown>,
    (() => Promise<unknown>)?,
  ][] = [
    [
      'its user is disabled',
      /no longer valid, or its user is disabled/,
      () => disableUser({ ...hub.admin, username: 'bob' }),
      () => enableUser({ ...hub.admin, username: 'bob' }),
    ],
    [
      'its user leaves the organization',
      /^bob, who set the mirror up, may no longer change/,
      () => removeMember({ ...ada, name: 'acme', username: 'bob' }),
    ],
    [
      'its user only reads',
      /^bob, who set the mirror up, may no longer change/,
      () => hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'read' }] }] }),
    ],
    [
      'its token is deleted',
      /access token with which the mirror was set up is no longer valid/,
      ({ id }) => deleteAccessToken({ ...bob, tokenId: id }),
    ],
    [
      'the organization denies its token',
      /may no longer change this repository with the access token/,
      ({ id }) => denyMemberToken({ ...ada, name: 'acme', tokenId: id }),
    ],
    [
      'the organization has to approve tokens',
      /may no longer change this repository with the access token/,
      () => updateTokenPolicy({ ...ada, name: 'acme', policy: 'approval' }),
    ],
    [
      'the repository moves into a group without its user',
      /^bob, who set the mirror up, may no longer change/,
      async () => {
        const group = await createResourceGroup({
          ...ada,
          organization: 'acme',
          name: 'lab',
          users: [{ user: 'ada', role: 'admin' }],
        });
        await setRepoResourceGroup({ ...ada, ...MIRROR, resourceGroupId: group.id });
      },
    ],
  ];

  test.each(LOSSES)('%s', async (_, reason, lose, regain) => {
    const token = await furtherToken();
    await follow(token);
    expect(await arrives()).toBe(true);
    await lose(token);
    expect(await arrives()).toBe(false);
    expect(await stateFor()).toMatchObject({ state: 'stopped', lastError: expect.stringMatching(reason) });
    const asked = source.database.read.selectFrom('tokens').select('last_used_at').execute();
    await hub.drain();
    expect(await source.database.read.selectFrom('tokens').select('last_used_at').execute()).toEqual(await asked);
    if (regain) {
      await regain();
      expect(await arrives()).toBe(true);
    }
    // Whoever may change the repository takes the mirror over, with what it has.
    await updateMirror({ ...ada, ...MIRROR });
    await hub.drain();
    expect(await stateFor()).toMatchObject({ state: 'synced', user: 'ada', hasToken: true });
  });

  test('its user is deleted', async () => {
    await follow(bob);
    await deleteUser({ ...hub.admin, username: 'bob' });
    await hub.drain();
    expect(await arrives()).toBe(false);
    const state = await stateFor();
    expect(state).toMatchObject({ state: 'stopped', lastError: expect.stringMatching(/no longer exists/) });
    expect(state).not.toHaveProperty('user');
  });

  test('the repository moves to where its user may not write, and goes on where the user may', async () => {
    await follow(ada);
    await moveRepo({ ...ada, type: 'model', from: MIRROR.repo, to: 'ada/weather' });
    expect(await arrives(ada, 'ada/weather')).toBe(true);
    await moveRepo({ ...ada, type: 'model', from: 'ada/weather', to: MIRROR.repo });
    await updateMirror({ ...bob, ...MIRROR });
    await moveRepo({ ...ada, type: 'model', from: MIRROR.repo, to: 'ada/weather' });
    expect(await arrives(ada, 'ada/weather')).toBe(false);
  });

  test('its token expires', async () => {
    const token = await furtherToken();
    await hub.database.transaction((tx) =>
      tx
        .updateTable('tokens')
        .set({ expires_at: hub.clock.now() + DAY })
        .where('id', '=', token.id)
        .execute(),
    );
    await follow(token);
    expect(await arrives()).toBe(true);
    hub.clock.advance(DAY + 1);
    expect(await arrives()).toBe(false);
    expect(await stateFor()).toMatchObject({ state: 'stopped' });
  });

  test('a fine-grained token covers the repository no longer', async () => {
    const token = await furtherToken([{ id: await repoId(), words: ['repo.write'] }]);
    await follow(token);
    expect(await arrives()).toBe(true);
    const narrower = JSON.stringify({
      scoped: [{ entity: { _id: await repoId() }, permissions: ['repo.content.read'] }],
    });
    await hub.database.transaction((tx) =>
      tx.updateTable('tokens').set({ fine_grained: narrower }).where('id', '=', token.id).execute(),
    );
    expect(await arrives()).toBe(false);
  });
});

test('a mirror that was set up in a browser session needs its user alone', async () => {
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'carol', role: 'admin' }] }] });
  const carol = await withPassword(hub, 'carol');
  const answer = await carol.ask('POST /api/models/acme/weather/mirror', { url, token: tokenOf('ada') });
  expect(answer.status).toBe(200);
  await carol.ask('POST /api/sign-out');
  expect(await arrives()).toBe(true);
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'carol', role: 'read' }] }] });
  expect(await arrives()).toBe(false);
});

test('whoever loses the right while a sync is running changes nothing any more', async () => {
  let onFetch = async () => {};
  await using remote = await bareRemote();
  await using gate = await holdingProxy(remote.url, () => onFetch());
  const at = await remote.create('letters');
  await remote.git('letters-clone', 'commit', '--quiet', '--allow-empty', '--message', 'First');
  await remote.git('letters-clone', 'push', '--quiet', 'origin', 'HEAD');
  onFetch = () => removeMember({ ...ada, name: 'acme', username: 'bob' }).then(() => {});
  await createMirror({ ...bob, ...MIRROR, url: at.replace(remote.url, gate.url) });
  const before = await refsOf(ada, MIRROR);
  await hub.drain();
  expect(await stateFor()).toMatchObject({ state: 'stopped' });
  expect(await refsOf(ada, MIRROR)).toEqual(before);
  // Nor does a mirror that was removed, or whose repository was deleted.
  await updateMirror({ ...ada, ...MIRROR });
  onFetch = () => deleteMirror({ ...ada, ...MIRROR }).then(() => {});
  await hub.drain();
  expect(await refsOf(ada, MIRROR)).toEqual(before);
  await createMirror({ ...ada, ...MIRROR, url: at.replace(remote.url, gate.url) });
  onFetch = async () => {
    await deleteRepo({ ...ada, ...MIRROR });
    await createRepo({ ...ada, repo: MIRROR.repo });
  };
  await hub.drain();
  expect(Object.keys(await refsOf(ada, MIRROR))).toEqual([MAIN]);
  await expect(stateFor()).rejects.toMatchObject({ status: 404 });
});

describe('who may not change a repository', () => {
  const calls = (who: Connection) => [
    getMirror({ ...who, ...MIRROR }),
    follow(who),
    updateMirror({ ...who, ...MIRROR, interval: 60 }),
    syncMirror({ ...who, ...MIRROR }),
    deleteMirror({ ...who, ...MIRROR }),
  ];
  const statuses = (who: Connection) =>
    Promise.all(
      calls(who).map((call) =>
        call.then(
          () => 200,
          (error: { status: number }) => error.status,
        ),
      ),
    );

  test('neither sees nor changes its mirror', async () => {
    await follow(ada);
    expect(await statuses(hub.as('zoe'))).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(hub.admin)).toEqual([404, 404, 404, 404, 404]);
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'read' }] }] });
    expect(await statuses(bob)).toEqual([403, 403, 403, 403, 403]);
    const { token } = await createAccessToken({ ...ada, displayName: 'reads', role: 'read' });
    expect(await statuses(hub.with(token))).toEqual([403, 403, 403, 403, 403]);
    const elsewhere = { entity: { _id: await idOf('bob'), type: 'user' }, permissions: ['repo.write'] };
    const narrow = await createAccessToken({
      ...hub.as('carol'),
      displayName: 'narrow',
      role: 'fineGrained',
      fineGrained: {
        scoped: [{ ...elsewhere, entity: { _id: (await whoAmI(hub.as('carol'))).id, type: 'user' } }] as never,
      },
    });
    expect(await statuses(hub.with(narrow.token))).toEqual([404, 404, 404, 404, 404]);
    expect(await stateFor()).toMatchObject({ interval: 8 * 3600, user: 'ada' });
  });
});

describe('the token of a remote', () => {
  test('is in no answer, no row and no audit entry, and is dropped when the URL changes', async () => {
    const secret = 'hf_theSecretForTheRemote';
    const answers: object[] = [await follow(bob, { token: secret })];
    await hub.drain();
    answers.push(await stateFor(), await updateMirror({ ...bob, ...MIRROR, interval: 600 }));
    expect(await stateFor()).toMatchObject({ hasToken: true });
    // Whoever may change the mirror does not get the token by naming a server of their own.
    const asked: (string | undefined)[] = [];
    await using thief = await bareRemote({
      answer(request, response) {
        asked.push(request.headers.authorization);
        response.writeHead(401).end();
        return true;
      },
    });
    answers.push(await updateMirror({ ...hub.as('carol'), ...MIRROR, url: `${thief.url}/letters.git` }));
    await hub.drain();
    expect(asked).toEqual([undefined]);
    expect(await stateFor()).toMatchObject({ hasToken: false, user: 'carol' });
    answers.push(await updateMirror({ ...bob, ...MIRROR, url }));
    expect(await stateFor()).toMatchObject({ hasToken: false });
    answers.push(await collect(listAuditLog({ ...ada, name: 'acme' })), await collect(listMirrors(hub.admin)));
    answers.push(await hub.database.read.selectFrom('mirrors').selectAll().execute());
    expect(JSON.stringify(answers)).not.toContain(secret);
  });

  test('opens for its own URL and row alone, whatever the database says', async () => {
    const asked: (string | undefined)[] = [];
    await using thief = await bareRemote({
      answer(request, response) {
        asked.push(request.headers.authorization);
        response.writeHead(401).end();
        return true;
      },
    });
    await follow(bob);
    await hub.database.transaction((tx) =>
      tx
        .updateTable('mirrors')
        .set({ url: `${thief.url}/x.git` })
        .execute(),
    );
    await hub.drain();
    expect(asked).toEqual([]);
    expect(await stateFor()).toMatchObject({
      lastError: 'The token of the mirror can no longer be read; give it again',
    });
  });
});

test('the audit log of the hub says who set up, changed and ended the mirror of a user’s repository', async () => {
  const own = { type: 'model', repo: 'bob/weather' } as const;
  await createRepo({ ...bob, repo: own.repo });
  await createMirror({ ...bob, ...own, url, token: tokenOf('ada') });
  await updateMirror({ ...bob, ...own, interval: 600 });
  await deleteMirror({ ...bob, ...own });
  const entries = await exportSiteAuditLog({ ...hub.admin, q: 'type:mirror.*' });
  expect(entries.map(({ type, message, author }) => `${author.user}: ${type}: ${message}`)).toEqual([
    'bob: mirror.delete: Ended the mirroring of the model bob/weather',
    'bob: mirror.update: Changed the mirroring of the model bob/weather',
    `bob: mirror.create: Made the model bob/weather a mirror of ${url}`,
  ]);
  expect(JSON.stringify(entries)).not.toContain(tokenOf('ada'));
});

test('the audit log of an organization says who set up, changed and ended a mirror', async () => {
  await follow(bob);
  await updateMirror({ ...hub.as('carol'), ...MIRROR, interval: 600 });
  await deleteMirror({ ...ada, ...MIRROR });
  await follow(ada);
  const [entry] = await collect(listMirrors({ ...hub.admin, failing: false }));
  expect(entry).toMatchObject({ repo: { type: 'model', name: 'acme/weather' }, state: 'pending' });
  await removeMirror({ ...hub.admin, id: entry?.id ?? '' });
  await expect(removeMirror({ ...hub.admin, id: entry?.id ?? '' })).rejects.toMatchObject({ status: 404 });
  await expect(collect(listMirrors(ada))).rejects.toMatchObject({ status: 403 });
  const entries = (await collect(listAuditLog({ ...ada, name: 'acme' }))).filter(
    ({ type }) => type === 'repo.update_settings',
  );
  expect(entries.map(({ message }) => message)).toEqual([
    'Ended the mirroring of the model acme/weather',
    `Made the model acme/weather a mirror of ${url}`,
    'Ended the mirroring of the model acme/weather',
    'Changed the mirroring of the model acme/weather',
    `Made the model acme/weather a mirror of ${url}`,
  ]);
  expect(entries.at(-1)).toMatchObject({
    data: { before: { mirror: null }, after: { mirror: { url, hasToken: true, interval: 28_800, username: 'git' } } },
  });
});

test('the hub follows a private repository with a token that reads it, and says so if it does not', async () => {
  await using at = await mirrorHubs();
  await at.follow(url);
  await at.hub.drain();
  expect(await at.state()).toMatchObject({
    lastError: 'The remote asks for credentials (401): the repository does not exist there, or needs a token',
  });
});
