import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccessToken, revokeCredentials } from '@moonbase/client/access-tokens';
import { listCommits } from '@moonbase/client/content';
import { acceptInvitation, createInvitation } from '@moonbase/client/invitations';
import { getJob, runJob } from '@moonbase/client/jobs';
import { removeMember } from '@moonbase/client/members';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Connection, person, startHub, type TestHub, tokenOf } from '../../packages/server/test/harness.ts';
import { createTestRunner } from '../../packages/server/test/test-runner.ts';

/** Requests in transit, invitations and waiting jobs outlive the authority that they began with. */

const runner = createTestRunner();
let hub: TestHub;
const acme = { name: 'acme' };

beforeEach(async () => {
  hub = await startHub({}, { runner });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.apply({
    users: ['ada', 'mallory', 'zoe'].map(person),
    organizations: [{ ...acme, members: ['ada', 'mallory'].map((user) => ({ user, role: 'admin' as const })) }],
  });
});

const orgsOf = async (user: string) => (await whoAmI(hub.as(user))).orgs.map(({ name }) => name);
const statusOf = (done: Promise<unknown>) =>
  done.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

describe('a request whose body comes slowly', () => {
  /** Sends a request without the last byte of its body; `finish` sends that byte and resolves with the status. */
  async function begin({ accessToken }: Connection, path: string, body: object, method = 'POST') {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    const sent = request(hub.url + path, { method, headers });
    const answered = new Promise<number>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    });
    sent.write(text.slice(0, -1));
    // The pause exceeds the time for which an earlier token look-up counts.
    await pause(1_100);
    return () => {
      sent.end(text.slice(-1));
      return answered;
    };
  }

  test('is authorized again once the body is complete, so a disabled user can do nothing', async () => {
    const finish = await begin(hub.as('mallory'), '/api/repos/create', { name: 'late', type: 'model' });
    await disableUser({ ...hub.admin, username: 'mallory' });
    expect(await finish()).toBe(401);
  });

  test('cannot create a token with a token that was revoked in the meantime', async () => {
    const { token } = await createAccessToken({ ...hub.as('mallory'), displayName: 'leaked', role: 'write' });
    const finish = await begin(hub.with(token), '/api/settings/tokens', { displayName: 'spare', role: 'write' });
    await revokeCredentials({ ...hub.as('mallory'), credentials: [token] });
    expect(await finish()).toBe(401);
  });

  test('does not apply a document of a former site administrator', async () => {
    await hub.apply({ users: [{ name: 'mallory', admin: true }] });
    const document = { users: [{ name: 'mallory', admin: true }] };
    const finish = await begin(hub.as('mallory'), '/api/admin/hub', document, 'PUT');
    await hub.apply({ users: [{ name: 'mallory', admin: false }] });
    expect(await finish()).toBe(403);
    expect(await whoAmI(hub.as('mallory'))).not.toHaveProperty('isAdmin');
  });

  test('commits no files of a disabled user', async () => {
    await createRepo({ ...hub.as('mallory'), repo: 'mallory/late' });
    const operations = { summary: 'Late', files: [{ path: 'late.txt', content: 'late' }] };
    const finish = await begin(hub.as('mallory'), '/api/models/mallory/late/commit/main', operations);
    await disableUser({ ...hub.admin, username: 'mallory' });
    expect(await finish()).toBe(401);
    const late = { ...hub.admin, type: 'model', repo: 'mallory/late', revision: 'main' } as const;
    expect((await listCommits(late)).map(({ title }) => title)).toEqual(['initial commit']);
  });

  test('succeeds if nothing changed in the meantime', async () => {
    const finish = await begin(hub.as('mallory'), '/api/repos/create', { name: 'slow', type: 'model' });
    expect(await finish()).toBe(200);
  });
});

describe('an invitation', () => {
  const toZoe = { user: 'zoe', role: 'admin' } as const;
  const byMail = { email: 'second@evil.test', role: 'admin' } as const;
  const invite = (whom: typeof toZoe | typeof byMail) => createInvitation({ ...hub.as('mallory'), ...acme, ...whom });
  const accept = ({ id, secret }: { id: string; secret?: string | undefined }, user = 'zoe') =>
    statusOf(acceptInvitation({ ...hub.as(user), invitationId: id, ...(secret !== undefined && { secret }) }));

  test.each([
    ['removed', () => removeMember({ ...hub.as('ada'), ...acme, username: 'mallory' })],
    ['made less', () => hub.apply({ organizations: [{ ...acme, members: [{ user: 'mallory', role: 'write' }] }] })],
    ['disabled', () => disableUser({ ...hub.admin, username: 'mallory' })],
    ['deleted', () => hub.apply({ users: [{ name: 'mallory', state: 'absent' }] })],
  ])('lets nobody in once the admin who sent it was %s', async (_, end) => {
    const sent = [await invite(toZoe), await invite(byMail)];
    await end();
    expect(await Promise.all(sent.map((one) => accept(one)))).not.toContain(200);
    expect(await orgsOf('zoe')).toEqual([]);
  });

  test('does not bring back the admin who sent it', async () => {
    const sent = await invite(byMail);
    await removeMember({ ...hub.as('ada'), ...acme, username: 'mallory' });
    expect(await accept(sent, 'mallory')).toBe(409);
    expect(await orgsOf('mallory')).toEqual([]);
  });

  test('can be accepted as long as its sender is an admin', async () => {
    expect(await accept(await invite(byMail))).toBe(200);
    expect(await orgsOf('zoe')).toEqual(['acme']);
  });
});

test('a waiting job mounts no repository that its creator may not read any more', async () => {
  const mallory = { ...hub.as('mallory'), namespace: 'mallory' };
  await createRepo({ ...hub.as('ada'), repo: 'acme/secret', private: true });
  const volumes = [{ type: 'model' as const, source: 'acme/secret', mountPath: '/m' }];
  const job = { dockerImage: 'alpine', command: ['true'], flavor: 'cpu-basic' as const, volumes, attempts: 3 };
  const waiting = await runJob({ ...mallory, job });
  await removeMember({ ...hub.as('ada'), ...acme, username: 'mallory' });
  await hub.drain();
  expect(runner.launched).toEqual([]);
  expect((await getJob({ ...mallory, jobId: waiting.id })).status).toMatchObject({
    stage: 'ERROR',
    message: 'there is no model acme/secret for you',
  });
  expect(tokenOf('mallory')).toBe(mallory.accessToken);
});
