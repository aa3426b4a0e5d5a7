import {
  createAccessToken,
  deleteAccessToken,
  deleteUserToken,
  revokeCredentials,
} from '@moonbase/client/access-tokens';
import { createUser } from '@moonbase/client/admin';
import {
  exportAuditLog,
  exportSiteAuditLog,
  getSiteAuditLogHead,
  listSiteAuditLog,
  type SiteAuditEvent,
} from '@moonbase/client/audit-log';
import { createUserLink } from '@moonbase/client/authentication';
import { updateNotificationSettings } from '@moonbase/client/settings';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { describe, expect, test } from 'vitest';
import { linkHash, NO_HASH, sealedText } from '../src/audit-log/chain.ts';
import { ask } from './ask.ts';
import { openBrowser } from './browser.ts';
import { DAY } from './clock.ts';
import { collect, person, startHub } from './harness.ts';

const told = (events: readonly SiteAuditEvent[]) =>
  events.map(({ type, message, author }) => `${author.user}: ${type}: ${message}`);

/** Starts a hub with the users ada and eve; `since` returns what its log has after the last call, oldest first. */
async function start(settings = {}) {
  const hub = await startHub(settings);
  await hub.apply({ users: ['ada', 'eve'].map(person) });
  let seen = (await getSiteAuditLogHead(hub.admin)).last?.seq ?? 0;
  const since = async () => {
    const events = (await exportSiteAuditLog(hub.admin)).filter(({ seq }) => seq > seen).reverse();
    seen = events.at(-1)?.seq ?? seen;
    return events;
  };
  return { hub, ada: hub.as('ada'), since, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('the log of the hub', () => {
  test('says what site administrators do to users and their tokens, and from where', async () => {
    await using fixture = await start();
    const { hub, ada, since } = fixture;
    await createUser({ ...hub.admin, name: 'new-user' });
    const { id } = await createAccessToken({ ...ada, displayName: 'laptop', role: 'read' });
    await deleteUserToken({ ...hub.admin, username: 'ada', tokenId: id });
    await disableUser({ ...hub.admin, username: 'eve' });
    await enableUser({ ...hub.admin, username: 'eve' });
    await enableUser({ ...hub.admin, username: 'eve' });
    await deleteUser({ ...hub.admin, username: 'eve' });
    const events = await since();
    expect(told(events)).toEqual([
      'admin: user.create: Created the user new-user',
      'ada: token.create: Made the access token laptop',
      'admin: token.delete: Revoked the access token laptop of ada',
      'admin: user.disable: Disabled the user eve',
      'admin: user.enable: Enabled the user eve',
      'admin: user.delete: Deleted the user eve',
    ]);
    expect(events[1]).toMatchObject({
      ip: '127.0.0.1',
      userAgent: 'node',
      author: { user: 'ada', type: 'user' },
      data: { user: { user: 'ada' }, token: { id, name: 'laptop', role: 'read', last4: expect.any(String) } },
    });
  });

  test('says what users do by themselves, and never a secret', async () => {
    await using fixture = await start();
    const { ada, since } = fixture;
    const { id, token } = await createAccessToken({ ...ada, displayName: 'laptop', role: 'write' });
    await revokeCredentials({ ...ada, credentials: [token] });
    await updateNotificationSettings({ ...ada, notifications: { announcements: false } });
    const { id: other } = await createAccessToken({ ...ada, displayName: 'other', role: 'read' });
    await deleteAccessToken({ ...ada, tokenId: other });
    await expect(deleteAccessToken({ ...ada, tokenId: id })).rejects.toMatchObject({ status: 404 });
    const events = await since();
    expect(told(events)).toEqual([
      'ada: token.create: Made the access token laptop',
      'anybody: token.leaked: Revoked a leaked access token of ada',
      'ada: user.settings: Changed the settings of notifications',
      'ada: token.create: Made the access token other',
      'ada: token.delete: Revoked the access token other of ada',
    ]);
    expect(events[1]?.author).toMatchObject({ _id: '0'.repeat(24), type: 'system' });
    expect(events[1]?.author).not.toHaveProperty('deleted');
    expect(events[1]).not.toHaveProperty('token');
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test('says what people do with a link and a session: passwords, sessions', async () => {
    await using fixture = await start();
    const { hub, since } = fixture;
    const { url } = await createUserLink({ ...hub.admin, username: 'ada', purpose: 'invite' });
    const code = url.split('/').at(-1) ?? '';
    const [browser, second] = [openBrowser(hub), openBrowser(hub)];
    const password = 'seven quiet herons';
    expect(await browser.ask(`POST /api/links/${code}`, { password })).toMatchObject({ status: 200 });
    expect(await second.ask('POST /api/sign-in', { name: 'ada', password })).toMatchObject({ status: 200 });
    expect(await browser.ask('DELETE /api/settings/sessions')).toMatchObject({ status: 200, body: { ended: 1 } });
    const events = await since();
    expect(told(events)).toEqual([
      'admin: user.link: Made a link with which ada sets a password',
      'ada: user.password: Set the password with a link',
      'ada: session.end: Ended a session of ada',
    ]);
    expect(JSON.stringify(events)).not.toContain(code);
  });

  test('has the users and tokens of a document, and nothing of one that is refused or changes nothing', async () => {
    await using fixture = await start();
    const { hub, since } = fixture;
    const document = {
      users: [{ name: 'zoe', email: 'zoe@example.test', tokens: [{ name: 'ci', role: 'read' as const }] }],
    };
    await hub.apply(document);
    await hub.apply(document);
    await expect(hub.apply({ users: [{ name: 'yan' }, { name: '/' }] })).rejects.toMatchObject({ status: 400 });
    await hub.apply({ users: [{ name: 'zoe', admin: true, tokens: [{ name: 'ci', state: 'absent' }] }] });
    const events = await since();
    expect(told(events)).toEqual([
      'admin: user.create: Created the user zoe',
      'admin: token.create: Made the access token ci of zoe',
      'admin: user.update: Changed the user zoe',
      'admin: token.delete: Revoked the access token ci of zoe',
    ]);
    expect(events[2]?.data).toMatchObject({ changed: ['site_admin'], admin: true });
  });

  test('is a chain of its own, which an organization neither sees nor filters', async () => {
    await using fixture = await start();
    const { hub, ada } = fixture;
    await hub.apply({ organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }] });
    const log = (await exportSiteAuditLog(hub.admin)).reverse();
    let previous = NO_HASH;
    for (const [at, event] of log.entries()) {
      expect(event).toMatchObject({ seq: at + 1, prevHash: previous, hash: linkHash(previous, sealedText(event)) });
      previous = event.hash;
    }
    expect((await getSiteAuditLogHead(hub.admin)).last).toEqual({ seq: log.length, hash: previous });
    expect((await exportAuditLog({ ...ada, name: 'acme' })).map(({ type }) => type)).toEqual([
      'org.add_user',
      'org.create',
    ]);
    await expect(exportAuditLog({ ...ada, name: 'acme', q: 'type:user.create' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(exportAuditLog({ ...hub.admin, name: 'site' })).rejects.toMatchObject({ status: 404 });
    const created = await collect(listSiteAuditLog({ ...hub.admin, q: 'type:user.create author:admin', pageSize: 10 }));
    expect(told(created)).toEqual(['eve', 'ada'].map((name) => `admin: user.create: Created the user ${name}`));
    await expect(exportSiteAuditLog({ ...hub.admin, q: 'type:repo.create' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('type:user.create or type:user.*'),
    });
    const { headers } = await ask(hub.admin, 'GET /api/admin/audit-log/export');
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log-site-2026-01-05.json"');
  });

  test('is pruned as the others are, but never loses its end', async () => {
    await using fixture = await start({ MOONBASE_AUDIT_LOG_DAYS: '10' });
    const { hub } = fixture;
    const { last } = await getSiteAuditLogHead(hub.admin);
    hub.clock.advance(11 * DAY);
    await hub.drain();
    expect(await getSiteAuditLogHead(hub.admin)).toEqual({ first: last, last });
    await disableUser({ ...hub.admin, username: 'eve' });
    expect(await exportSiteAuditLog(hub.admin)).toMatchObject([{ prevHash: last?.hash }, { hash: last?.hash }]);
  });
});

test('only site administrators read it, with a whole token: read or write', async () => {
  await using fixture = await start();
  const { hub, ada } = fixture;
  await hub.apply({
    users: [
      {
        name: 'root',
        admin: true,
        tokens: [
          { name: 'r', role: 'read', token: 'hf_readerOfEverything0000000000000001' },
          {
            name: 'narrow',
            role: 'fineGrained',
            token: 'hf_narrowAndFineGrained00000000000001',
            scopes: { canReadGatedRepos: false, global: ['org.read'], scoped: [] },
          },
        ],
      },
    ],
  });
  const withToken = (accessToken: string) => ({ ...hub.admin, accessToken });
  for (const path of ['', '/export', '/head']) {
    const request = `GET /api/admin/audit-log${path}` as const;
    const statusOf = async (who: typeof hub.admin) => (await ask(who, request)).status;
    expect(await statusOf(withToken('hf_readerOfEverything0000000000000001'))).toBe(200);
    expect(await statusOf(withToken('hf_narrowAndFineGrained00000000000001'))).toBe(403);
    expect(await statusOf(ada)).toBe(403);
    expect((await fetch(`${hub.url}/api/admin/audit-log${path}`)).status).toBe(401);
  }
});
