import { findRole, type Memberships, membershipOf } from '../../access/index.ts';
import type { Account } from '../../accounts/index.ts';
import { findInvitationTo, type Invitations } from '../../members/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { standingsOf } from '../../resource-groups/index.ts';
import type { ScimApi } from '../change.ts';
import { ownRoleOf } from '../role-sync/role-sync.ts';
import { forgetOwnRole, rolesIn } from '../role-sync/store.ts';
import { cameFrom, setTaken } from './store.ts';

/** The role of whoever comes without one to come back to. */
const FIRST_ROLE = 'read';

type User = Pick<Account, 'id' | 'name'>;

interface Dependencies {
  readonly memberships: Memberships;
  readonly invitations: Invitations;
}

export type MembershipStatus = ReturnType<typeof createMembershipStatus>;

/** Takes users into an organization and out of it: what `active` says. The organization must be locked. */
export function createMembershipStatus({ memberships, invitations }: Dependencies) {
  /** Ends the membership or the invitation; `keep` what is needed to bring it back. */
  async function leave(tx: Executor, caller: Caller, orgId: string, userId: string, keep: boolean): Promise<void> {
    const invitation = await findInvitationTo(tx, orgId, userId);
    if (invitation) await invitations.revoke(tx, caller, orgId, invitation);
    const [member] = await rolesIn(tx, orgId, [userId]);
    if (!member) return;
    if (keep) {
      const { name: role } = await ownRoleOf(tx, orgId, member);
      const groups = (await standingsOf(tx, orgId, userId)).filter((group) => group.managed_by === null);
      await setTaken(tx, orgId, userId, { role, groups: groups.map(({ id, role }) => ({ id, role })) });
    }
    await forgetOwnRole(tx, orgId, userId);
    await memberships.remove(tx, caller, { orgId, userId });
  }

  /**
   * Makes a member of a user, or invites one, with the role from before. Who is not of the organization, and was not
   * put out of it by SCIM, is asked whatever the tree: nobody is made a member who did not agree.
   */
  async function enter(tx: Executor, caller: Caller, tree: ScimApi, orgId: string, user: User): Promise<void> {
    if ((await membershipOf(tx, orgId, user.id)) !== undefined) return;
    const invitation = await findInvitationTo(tx, orgId, user.id);
    const { owned, taken } = await cameFrom(tx, orgId, user.id);
    const role = (taken && (await findRole(tx, orgId, taken.role))?.name) ?? FIRST_ROLE;
    if (tree === 'scim' && (owned || taken)) {
      if (invitation) await invitations.revoke(tx, caller, orgId, invitation);
      await memberships.set(tx, caller, { orgId, userId: user.id, role });
    } else if (!invitation) await invitations.invite(tx, caller, { orgId, user, email: null, role });
  }

  return {
    leave,
    enter,

    /** Whether a user is a member or is invited. */
    belongs: async (tx: Executor, orgId: string, userId: string): Promise<boolean> =>
      (await membershipOf(tx, orgId, userId)) !== undefined ||
      (await findInvitationTo(tx, orgId, userId)) !== undefined,

    /** The same of an account that was made just now. */
    begin: (tx: Executor, caller: Caller, orgId: string, user: Account) =>
      memberships.begin(tx, caller, { orgId, user, role: FIRST_ROLE }),
  };
}
