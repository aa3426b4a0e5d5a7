import { sql } from 'kysely';
import { notDeleted, type RoleKeeper, type SomeMembers } from '../access/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { InvitationRow } from './tables.ts';

const invitations = (executor: ReadExecutor) =>
  executor
    .selectFrom('invitations')
    .innerJoin('accounts as org', 'org.id', 'invitations.org_id')
    .leftJoin('accounts as invited', 'invited.id', 'invitations.user_id')
    .leftJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by')
    .selectAll('invitations')
    .select([
      'org.name as orgName',
      'org.fullname as orgFullname',
      'invited.name as userName',
      'inviter.name as inviterName',
    ])
    .where(notDeleted(sql.ref('invitations.org_id')));

/** Returns a page of the invitations of an organization or to a user, newest first. */
export function listInvitations(
  executor: ReadExecutor,
  of:
    | { readonly orgId: string }
    | { readonly userId: string; readonly email: string | undefined; readonly now: number },
  before: string | undefined,
  limit: number,
) {
  let query = invitations(executor).orderBy('invitations.id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('invitations.id', '<', before);
  if ('orgId' in of) return query.where('invitations.org_id', '=', of.orgId).execute();
  const { userId, email, now } = of;
  return query
    .where((eb) => eb.or([eb('invitations.expires_at', 'is', null), eb('invitations.expires_at', '>', now)]))
    .where((eb) =>
      eb.or([
        eb('invitations.user_id', '=', userId),
        ...(email === undefined ? [] : [eb('invitations.email', '=', email)]),
      ]),
    )
    .execute();
}
export type ListedInvitation = Awaited<ReturnType<typeof listInvitations>>[number];

export const findInvitation = (executor: Executor, id: string): Promise<ListedInvitation | undefined> =>
  invitations(executor).where('invitations.id', '=', id).executeTakeFirst();

/** Returns the open invitation to a user. */
export const findInvitationTo = (
  executor: Executor,
  orgId: string,
  userId: string,
): Promise<ListedInvitation | undefined> =>
  invitations(executor)
    .where('invitations.org_id', '=', orgId)
    .where('invitations.user_id', '=', userId)
    .executeTakeFirst();

/** Withdraws earlier invitations to an address, so that only the newest secret is valid. */
export async function deleteInvitationsOf(tx: Executor, orgId: string, email: string): Promise<void> {
  await tx.deleteFrom('invitations').where('org_id', '=', orgId).where('email', '=', email).execute();
}

export async function insertInvitation(tx: Executor, row: InvitationRow): Promise<void> {
  await tx.insertInto('invitations').values(row).execute();
}

export async function deleteInvitation(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('invitations').where('id', '=', id).execute();
}

/** Deletes the open invitations of an organization to some users, by their accounts or their addresses. */
export async function deleteInvitationsOfUsers(tx: Executor, { orgId, userIds }: SomeMembers): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where((is) =>
      is.or([
        whereIn(tx, 'user_id', userIds),
        is(
          'email',
          'in',
          is
            .selectFrom('accounts')
            .select(sql<string>`lower(accounts.email)`.as('email'))
            .where(whereIn(tx, 'accounts.id', userIds)),
        ),
      ]),
    )
    .execute();
}

export async function deleteInvitationsTo(tx: Executor, userId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('user_id', '=', userId).execute();
}

/** Follows changes of custom roles in open invitations. */
export const invitationRoleKeeper: RoleKeeper = {
  async rename(tx, orgId, before, name) {
    await tx
      .updateTable('invitations')
      .set({ role: name })
      .where('org_id', '=', orgId)
      .where('role', '=', before)
      .execute();
  },
  keeps: async (tx, orgId, name) =>
    (await tx
      .selectFrom('invitations')
      .select('id')
      .where('org_id', '=', orgId)
      .where('role', '=', name)
      .limit(1)
      .executeTakeFirst()) !== undefined,
};

/** Withdraws all invitations of an organization. */
export async function deleteInvitationsIn(tx: Executor, orgId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('org_id', '=', orgId).execute();
}
