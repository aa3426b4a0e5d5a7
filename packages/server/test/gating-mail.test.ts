import { askAccess, cancelAccessRequest, handleAccessRequest } from '@moonbase/client/gating';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { updateNotificationSettings } from '@moonbase/client/settings';
import { expect, test } from 'vitest';
import { DAY } from './clock.ts';
import { person, startHub } from './harness.ts';
import { startMailServer } from './smtp-server.ts';

const WEIGHTS = { type: 'model', repo: 'acme/weights' } as const;

/** Starts a hub that sends mail, with a gated repository of an organization with two admins. */
async function mailing() {
  const server = await startMailServer();
  const hub = await startHub({
    ...{ MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>', MOONBASE_SMTP_URL: server.url },
  });
  await hub.apply({
    users: ['ada', 'amy', 'will', 'zoe', 'bob'].map((name) => ({ ...person(name), email: `${name}@example.com` })),
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'amy', role: 'admin' },
          { user: 'will', role: 'write' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('ada'), repo: 'acme/weights' });
  const set = (settings: Parameters<typeof updateRepoSettings>[0]['settings']) =>
    updateRepoSettings({ ...hub.as('ada'), ...WEIGHTS, settings });
  await set({ gated: 'manual' });
  const asks = (user: string) => askAccess({ ...hub.as(user), repo: 'acme/weights' });
  /** Returns the receivers and subjects of the mails since the last call. */
  const mails = async () => {
    await hub.drain();
    return server.received().sort((a, b) => String(a.envelope.to).localeCompare(String(b.envelope.to)));
  };
  const lines = async () => (await mails()).map(({ envelope, subject }) => `${String(envelope.to)}: ${subject ?? ''}`);
  return {
    ...{ hub, set, asks, mails, lines },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a request is mailed to the admins, and the decision to whoever asked', async () => {
  await using at = await mailing();
  await at.asks('zoe');
  expect(await at.lines()).toEqual([
    'ada@example.com: zoe asks for access to acme/weights',
    'amy@example.com: zoe asks for access to acme/weights',
  ]);
  const decide = (status: 'accepted' | 'rejected' | 'pending', rejectionReason?: string) =>
    handleAccessRequest({ ...at.hub.as('will'), ...WEIGHTS, user: 'zoe', status, rejectionReason });
  await decide('rejected', '<b>No</b> [link](http://evil.example)');
  const [rejected, ...others] = await at.mails();
  expect([rejected?.subject, others]).toEqual(['Your request for access to acme/weights was rejected', []]);
  expect(rejected?.text).toContain('    <b>No</b> [link](http://evil.example)');
  expect(rejected?.html).not.toContain('href="http://evil.example"');
  expect(rejected?.header('list-unsubscribe')).toBeDefined();
  await decide('accepted');
  expect(await at.lines()).toEqual(['zoe@example.com: Your request for access to acme/weights was accepted']);
  await decide('pending');
  expect(await at.lines()).toEqual([]);
  await updateNotificationSettings({ ...at.hub.as('zoe'), notifications: { gated_user_access_request: false } });
  await decide('accepted');
  expect(await at.lines()).toEqual([]);
});

test('requests go to the address that the settings name, one by one or once a day', async () => {
  await using at = await mailing();
  await at.set({ gatedNotificationsEmail: 'desk@example.com' });
  await at.asks('zoe');
  const [mail, ...others] = await at.mails();
  expect([mail?.envelope.to, others]).toEqual([['desk@example.com'], []]);
  expect(mail?.source).not.toContain('nsubscribe');
  await at.set({ gatedNotificationsEmail: null, gatedNotificationsMode: 'bulk' });
  await at.asks('bob');
  expect(await at.lines()).toEqual([]);
  at.hub.clock.advance(DAY);
  const [first, second] = await at.mails();
  expect([first?.subject, second?.envelope.to]).toEqual(['Requests for access to acme/weights', ['amy@example.com']]);
  expect(first?.text).toContain('- bob');
  expect(first?.text).toContain('wait for a decision: 2');
});

test('nothing is mailed that is over, and nobody floods a mailbox', async () => {
  await using at = await mailing();
  await at.set({ gated: 'auto' });
  await at.asks('bob');
  expect(await at.lines()).toEqual([]);
  await at.set({ gated: 'manual', gatedNotificationsMode: 'bulk' });
  await at.asks('zoe');
  await cancelAccessRequest({ ...at.hub.as('zoe'), ...WEIGHTS });
  at.hub.clock.advance(DAY);
  expect(await at.lines()).toEqual([]);
  await at.set({ gatedNotificationsMode: 'real-time' });
  let mailed = 0;
  for (let round = 0; round < 103; round++) {
    await at.asks('zoe');
    if (round % 10 === 0) mailed += (await at.lines()).length;
    await cancelAccessRequest({ ...at.hub.as('zoe'), ...WEIGHTS });
  }
  mailed += (await at.lines()).length;
  const queued = await at.hub.database.read.selectFrom('mails').select('user_id').execute();
  expect(mailed).toBeGreaterThan(0);
  expect(queued.length).toBeLessThanOrEqual(202);
});
