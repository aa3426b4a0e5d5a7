import { exportAuditLog } from '@moonbase/client/audit-log';
import { acceptInvitation, createInvitation } from '@moonbase/client/invitations';
import { expect, test } from 'vitest';
import { person, startHub } from '../../packages/server/test/harness.ts';

test('the log says which account has accepted an invitation by mail to which address', async () => {
  await using hub = await startHub();
  await hub.apply({
    users: [person('ada'), { ...person('zoe'), email: 'zoe@elsewhere.org' }],
    organizations: [{ name: 'acme', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] }],
  });
  const acme = { ...hub.as('ada'), name: 'acme' };
  const { id: invitationId, secret } = await createInvitation({ ...acme, email: 'new@acme.org', role: 'contributor' });
  await acceptInvitation({ ...hub.as('zoe'), invitationId, secret });
  const [accepted] = await exportAuditLog({ ...acme, q: 'type:org.invite.accept' });
  expect(accepted).toMatchObject({
    message: 'Accepted an invitation to new@acme.org with the role contributor',
    data: { user: 'zoe', email: 'new@acme.org', invitedBy: 'ada' },
  });
});
