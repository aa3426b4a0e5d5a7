import { createInvitation, listOwnInvitations } from '@moonbase/client/invitations';
import { updateOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { collect, person } from '../../packages/server/test/harness.ts';
import { newUser, PATCH, type ScimFixture, startScim } from '../../packages/server/test/scim-fixture.ts';
import { startMailServer } from '../../packages/server/test/smtp-server.ts';

const MAIL = { MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>', MOONBASE_MAIL_QUIET_SECONDS: '0' };

const emails = (value: string) => [{ value, type: 'work', primary: true }];

/** Gives the account that SCIM created a token, since nobody can sign in to it otherwise. */
const asMadeBySCIM = async ({ hub }: ScimFixture, name: string) => {
  await hub.apply({ users: [person(name)] });
  return hub.as(name);
};

const statusOf = (done: Promise<Response>) => done.then(({ status }) => status);

test('an address that the SCIM of another organization sets accepts no invitation and joins by no domain', async () => {
  await using fixture = await startScim();
  const { hub, ada } = fixture;
  const beta = await fixture.beta();
  const { id } = await createInvitation({ ...ada, name: 'acme', email: 'chief@acme.test', role: 'admin' });
  await updateOrganization({ ...ada, name: 'acme', change: { joinDomains: ['acme.test'] } });
  const made = await beta('POST /scim/v2/Users', newUser('mallory', { emails: emails('chief@acme.test') }));
  expect(made.status).toBe(201);
  const mallory = await asMadeBySCIM(fixture, 'mallory');
  const attempts = async () => [
    (await collect(listOwnInvitations(mallory))).length,
    await statusOf(ask(mallory, `POST /api/settings/invitations/${id}/accept`)),
    await statusOf(ask(mallory, `POST /api/settings/invitations/${id}/accept`, { secret: 'chief@acme.test' })),
    await statusOf(ask(mallory, 'POST /api/organizations/acme/join')),
    (await whoAmI(mallory)).email,
  ];
  expect(await attempts()).toEqual([0, 404, 404, 403, undefined]);
  // Even if beta may vouch for the domain, the address counts within beta only.
  await hub.apply({ organizations: [{ name: 'beta', verifiedDomains: ['acme.test'] }] });
  for (const value of ['Chief@ACME.test', 'chief@acme.test']) {
    const patch = PATCH({ op: 'replace', path: 'emails[type eq "work"].value', value });
    expect((await beta(`PATCH /scim/v2/Users/${made.body.id}`, patch)).status).toBe(200);
    expect(await attempts()).toEqual([0, 404, 404, 403, undefined]);
  }
  for (const value of [
    'chief@acme.test@evil.test',
    'chief@acme.test\u0000',
    'ＣＨＩＥＦ@acme.test',
    'chief@acme．test',
  ])
    expect([
      value,
      (await beta(`PUT /scim/v2/Users/${made.body.id}`, newUser('mallory', { emails: emails(value) }))).status,
    ]).toEqual([value, 400]);
  expect((await whoAmI(mallory)).orgs.map(({ name }) => name)).toEqual(['beta']);
});

test('the SCIM of one organization neither changes an account that another created nor sees its address', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const { body } = await scim('POST /Users', newUser('grace'));
  const beta = await fixture.beta();
  await beta('PUT /members/grace', { role: 'read' });
  const adopted = await beta('POST /scim/v2/Users', newUser('grace', { emails: emails('grace@evil.test') }));
  expect([adopted.status, adopted.body.id]).toEqual([201, body.id]);
  await beta(`PUT /scim/v2/Users/${body.id}`, newUser('grace', { emails: emails('mallory@evil.test') }));
  expect((await scim(`GET /Users/${body.id}`)).body.emails).toEqual(body.emails);
  const members = await beta('GET /members');
  const grace = members.body.find(({ user }: { user: string }) => user === 'grace');
  expect(grace.verifiedEmail).toBe(null);
  expect(await fixture.rows(`select email from accounts where name = 'grace'`)).toEqual([{ email: null }]);
});

test('two organizations give the same address to two accounts, and neither learns of the other', async () => {
  await using fixture = await startScim();
  const beta = await fixture.beta();
  const same = { emails: emails('grace@shared.test') };
  expect((await fixture.scim('POST /Users', newUser('grace', same))).status).toBe(201);
  expect((await beta('POST /scim/v2/Users', newUser('hopper', same))).status).toBe(201);
  const filter = encodeURIComponent('emails.value eq "GRACE@shared.test"');
  const names = ({ body }: { body: { Resources: { userName: string }[] } }) =>
    body.Resources.map(({ userName }) => userName);
  expect(names(await fixture.scim(`GET /Users?filter=${filter}`))).toEqual(['grace']);
  expect(names(await beta(`GET /scim/v2/Users?filter=${filter}`))).toEqual(['hopper']);
  const invited = ['grace@shared.test', 'carol@home.test', 'nobody@nowhere.test'].map((email) =>
    beta('POST /invitations', { email, role: 'read' }),
  );
  const shapes = (await Promise.all(invited)).map(({ status, body }) => [status, Object.keys(body).sort().join()]);
  expect(new Set(shapes.map(String)).size).toBe(1);
});

test('only site administrators assign an organization the domains that it may vouch for', async () => {
  await using fixture = await startScim();
  const { hub, ada } = fixture;
  const vouch = (who: typeof ada, body: object) => ask(who, 'PATCH /api/organizations/acme', body);
  const own = { verifiedDomains: ['gmail.test'] };
  for (const body of [own, { ...own, fullname: 'Acme' }, { verifiedDomains: [] }])
    expect((await vouch(ada, body)).status).toBe(403);
  expect((await vouch(hub.as('bob'), own)).status).toBe(403);
  // A site administrator outside the organization changes its domains, and nothing else of it.
  expect((await vouch(hub.admin, { ...own, fullname: 'Acme' })).status).toBe(403);
  const given = await vouch(hub.admin, { verifiedDomains: ['ACME.test', 'acme.test'] });
  expect(await given.json()).toMatchObject({ verifiedDomains: ['acme.test'] });
  const audit = await fixture.audit();
  expect(audit.at(-1)).toEqual(['org.update_settings', 'Changed verifiedDomains of acme']);

  const findByEmail = async (email: string) =>
    (await fixture.org(`GET /members?email=${email}`)).body.map(({ user }: { user: string }) => user);
  await fixture.scim('POST /Users', newUser('grace'));
  await fixture.scim('POST /Users', newUser('eve', { emails: emails('eve@sub.acme.test') }));
  await fixture.scim('POST /Users', newUser('joe', { emails: emails('joe@gmail.test') }));
  expect(await findByEmail('GRACE@acme.test')).toEqual(['grace']);
  expect(await findByEmail('joe@gmail.test')).toEqual([]);
  expect(await findByEmail('eve@sub.acme.test')).toEqual([]);
  const shown = (await fixture.org('GET /members')).body.map(
    (member: { user: string; verifiedEmail: string | null }) => [member.user, member.verifiedEmail],
  );
  expect(shown).toEqual([
    ['ada', 'ada@home.test'],
    ['grace', 'grace@acme.test'],
    ['eve', null],
    ['joe', null],
  ]);
});

test('the hub mails to no address that only SCIM gives, unless the organization owns the domain', async () => {
  await using server = await startMailServer();
  await using fixture = await startScim({}, 'plus', { ...MAIL, MOONBASE_SMTP_URL: server.url });
  const { hub, ada } = fixture;
  const beta = await fixture.beta();
  for (const [name, address] of [
    ['grace', 'grace@acme.test'],
    ['victim', 'victim@stranger.test'],
  ] as const)
    await fixture.scim('POST /Users', newUser(name, { emails: emails(address) }));
  await beta('PUT /members/grace', { role: 'read' });
  await ask(ada, 'POST /api/repos/create', { name: 'letters', organization: 'acme', private: true });
  await ask(hub.as('bob'), 'POST /api/repos/create', { name: 'plans', organization: 'beta', private: true });
  const say = async (who: typeof ada, repo: string) => {
    await ask(who, `POST /api/models/${repo}/discussions`, { title: 'Hello', description: '@grace @victim look' });
    await hub.drain();
    hub.clock.advance(1000);
    await hub.drain();
    return server.received().map(({ envelope }) => envelope.to[0]);
  };
  expect(await say(ada, 'acme/letters')).toEqual([]);
  await hub.apply({ organizations: [{ name: 'acme', verifiedDomains: ['acme.test'] }] });
  expect(await say(ada, 'acme/letters')).toEqual(['grace@acme.test']);
  // News of another organization is not mailed to an address of this one.
  expect(await say(hub.as('bob'), 'beta/plans')).toEqual([]);
  await hub.apply({ users: [{ name: 'grace', email: 'grace@home.test' }] });
  expect(await say(hub.as('bob'), 'beta/plans')).toEqual(['grace@home.test']);
});

test('an invitation is mailed with its link, and its secret is in no list, log or table', async () => {
  await using server = await startMailServer();
  await using fixture = await startScim({}, 'plus', { ...MAIL, MOONBASE_SMTP_URL: server.url });
  const { hub, ada } = fixture;
  const invite = async (email: string) => {
    const made = await createInvitation({ ...ada, name: 'acme', email, role: 'read' });
    await hub.drain();
    return made;
  };
  const { id, url = '', secret = '' } = await invite('new@elsewhere.test');
  const [mail, ...others] = server.received();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    subject: 'Invitation to the organization acme',
    envelope: { to: ['new@elsewhere.test'] },
  });
  expect(mail?.text).toContain(url);
  expect(mail?.text).toContain('ada invites you');
  expect(new URL(url).pathname + new URL(url).search).toBe('/organizations');
  const told = [
    await fixture.org('GET /invitations'),
    await fixture.org('GET /audit-log/export'),
    await fixture.rows('select * from invitations'),
    await fixture.rows('select * from mails'),
    await fixture.rows('select * from events'),
  ];
  expect(JSON.stringify(told)).not.toContain(secret);
  expect(JSON.stringify(told)).toContain(id);
  expect(await statusOf(ask(hub.as('carol'), `POST /api/settings/invitations/${id}/accept`, { secret }))).toBe(200);
  const { userId } = await hub.database.read.selectFrom('mails').select('user_id as userId').executeTakeFirstOrThrow();
  const sent = {
    user_id: userId,
    kind: 'invitation',
    state: 'sent' as const,
    attempts: 1,
    due_at: 0,
    created_at: hub.clock.now(),
  };
  const emptyColumns = { thread_id: null, first_comment_id: null, last_comment_id: null, data: null, error: null };
  const mails = Array.from({ length: 98 }, (_, n) => ({ ...sent, ...emptyColumns, id: `earlier-${n}` }));
  await hub.database.transaction((tx) => tx.insertInto('mails').values(mails).execute());
  for (const email of ['a@x.test', 'b@x.test']) expect((await invite(email)).secret).toBeDefined();
  expect(server.received().map(({ envelope }) => envelope.to[0])).toEqual(['a@x.test']);
});
