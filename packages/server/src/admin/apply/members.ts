import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { countAdmins, findRole, type Memberships } from '../../access/index.ts';
import { type Account, findAccountsNamed, nameKey } from '../../accounts/index.ts';
import { rolesOf } from './hub-state-store.ts';
import { changedConcurrently } from './items.ts';
import type { Step, Steps } from './steps.ts';

type HubMember = HubDocument['organizations'][number]['members'][number];

const MEMBERS_A_STEP = 100;

/** Sets the roles of members according to a document; other members stay as they are. */
export async function applyMembers(
  steps: Steps,
  orgId: string,
  members: readonly HubMember[],
  memberships: Memberships,
): Promise<void> {
  let adminRoles: ReadonlySet<string> = new Set();
  await steps.each([orgId], 1, async (step) => {
    adminRoles = await adminRolesIn(step, orgId, members);
  });
  await steps.each(adminsFirst(members, adminRoles), MEMBERS_A_STEP, (step, part) =>
    applySome(step, orgId, part, memberships),
  );
  // The creator of an organization is its admin, unless the document says otherwise.
  await steps.each([orgId], 1, async (step) => {
    if ((await countAdmins(step.tx, orgId)) > 0) return;
    const { userId } = step.caller.principal;
    await memberships.set(step.tx, step.caller, { orgId, userId, role: 'admin' });
    step.count('members', 'created');
  });
}

async function adminRolesIn({ tx }: Step, orgId: string, members: readonly HubMember[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const name of new Set(members.flatMap(({ role }) => role ?? [])))
    if ((await findRole(tx, orgId, name))?.base === 'admin') names.add(name);
  return names;
}

/**
 * Orders members so that new admins are added before others are removed, and no step leaves the organization without
 * one.
 */
function adminsFirst(members: readonly HubMember[], adminRoles: ReadonlySet<string>): readonly HubMember[] {
  // If a user is named twice, the last entry must win, so the order stays.
  if (new Set(members.map(({ user }) => nameKey(user))).size < members.length) return members;
  const isAdmin = ({ role, state }: HubMember) => state !== 'absent' && role !== undefined && adminRoles.has(role);
  return [...members.filter(isAdmin), ...members.filter((member) => !isAdmin(member))];
}

async function applySome(step: Step, orgId: string, items: readonly HubMember[], memberships: Memberships) {
  const { tx, caller } = step;
  const users = await findAccountsNamed(
    tx,
    items.map(({ user }) => user),
  );
  const ids = [...users.values()].map(({ id }) => id);
  const roles = new Map((await rolesOf(tx, orgId, ids)).map(({ user_id, role }) => [user_id, role]));
  const wanted = new Map<string, string>();
  for (const item of items) {
    const userId = idOfUser(users, item);
    if (userId === undefined) continue;
    const role = roles.get(userId);
    if (item.state === 'absent') {
      if (role === undefined) continue;
      if (!wanted.delete(userId) || (await isMember(step, orgId, userId)))
        await memberships.remove(tx, caller, { orgId, userId });
      roles.delete(userId);
      step.count('members', 'removed');
      continue;
    }
    const name = item.role ?? role ?? 'read';
    if (role !== name) wanted.set(userId, name);
    roles.set(userId, name);
    step.count('members', role === undefined ? 'created' : role === name ? 'unchanged' : 'updated');
  }
  await memberships.setAll(
    tx,
    caller,
    orgId,
    [...wanted].map(([userId, role]) => ({ userId, role })),
  );
}

function idOfUser(users: ReadonlyMap<string, Account>, { user, state }: HubMember): string | undefined {
  const account = users.get(nameKey(user));
  if (account?.kind === 'user') return account.id;
  if (state !== 'absent') throw changedConcurrently();
  return undefined;
}

const isMember = async ({ tx }: Step, orgId: string, userId: string): Promise<boolean> =>
  (await rolesOf(tx, orgId, [userId])).length > 0;
