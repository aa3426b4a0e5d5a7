import { createInvitation } from '@moonbase/client/invitations';
import { addMember } from '@moonbase/client/members';
import { updateOrganization } from '@moonbase/client/organizations';
import { expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { newUser, PATCH, startScim } from '../../packages/server/test/scim-fixture.ts';

const acme = { name: 'acme' };

test('whom SCIM has removed comes back neither by domain nor by an invitation to an address, but by SCIM or by name', async () => {
  await using fixture = await startScim();
  const { hub, ada, scim, invited, org } = fixture;
  const carol = hub.as('carol');
  const accept = async ({ id, secret }: { readonly id: string; readonly secret?: string | undefined }) =>
    (await ask(carol, `POST /api/settings/invitations/${id}/accept`, { secret })).status;
  const members = async () => (await org('GET /members')).body.map(({ user }: { user: string }) => user);
  await updateOrganization({ ...ada, ...acme, change: { joinDomains: ['home.test'] } });
  await addMember({ ...ada, ...acme, username: 'carol', role: 'read' });
  const made = await invited('POST /Users', newUser('carol'));
  expect(made.status).toBe(201);
  const own = await createInvitation({ ...ada, ...acme, email: 'carol@home.test', role: 'admin' });
  const other = await createInvitation({ ...ada, ...acme, email: 'else@home.test', role: 'admin' });
  const active = (value: boolean) =>
    scim(`PATCH /Users/${made.body.id}`, PATCH({ op: 'replace', path: 'active', value }));
  expect((await active(false)).body.active).toBe(false);
  expect(await members()).toEqual(['ada']);

  expect((await ask(carol, 'POST /api/organizations/acme/join')).status).toBe(403);
  expect([await accept(own), await accept(other)]).toEqual([404, 409]);
  expect(await members()).toEqual(['ada']);
  const later = await createInvitation({ ...ada, ...acme, email: 'carol@home.test', role: 'read' });
  expect(await accept(later)).toBe(409);
  expect((await scim(`GET /Users/${made.body.id}`)).body.active).toBe(false);

  const byName = await createInvitation({ ...ada, ...acme, user: 'carol', role: 'read' });
  expect(await accept(byName)).toBe(200);
  expect(await members()).toEqual(['ada', 'carol']);
  await active(false);
  expect((await active(true)).body.active).toBe(true);
  expect(await members()).toEqual(['ada', 'carol']);
});
