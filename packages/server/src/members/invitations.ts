import type { NewInvitation } from '@moonbase/contract/organizations/invitations';
import {
  findRole,
  lockOrganization,
  type Memberships,
  membershipRole,
  requireOrganization,
  requireReach,
  requireRole,
} from '../access/index.ts';
import { type Account, findAccount, findAccountById, isDisabled, lockAccount, requireUser } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import type { Ids } from '../platform/ids.ts';
import { invitationTopic } from './events.ts';
import { type InvitationSecrets, newNonce } from './invitation-secrets.ts';
import {
  deleteInvitation,
  deleteInvitationsOf,
  findInvitation,
  insertInvitation,
  type ListedInvitation,
  listInvitations,
} from './invitation-store.ts';
import type { IsManaged } from './service.ts';
import { findMember } from './store.ts';
import type { InvitationRow } from './tables.ts';

export type Invitations = ReturnType<typeof createInvitations>;

const ADMIN = { role: 'admin', permission: 'org.write' } as const;
const READING = { role: 'admin', permission: 'org.read' } as const;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly memberships: Memberships;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly secrets: InvitationSecrets;
  readonly isManaged: IsManaged;
}

/** How long an invitation by mail is valid. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

interface Invitee {
  readonly orgId: string;
  readonly user: Pick<Account, 'id' | 'name'> | undefined;
  /** In lower case. */
  readonly email: string | null;
  readonly role: string;
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export function createInvitations(dependencies: Dependencies) {
  const { database, clock, ids, memberships, audit, events, secrets, isManaged } = dependencies;
  const { read } = database;

  /** Invites without checking permissions. Throws if the user has an open invitation; an address gets a new secret. */
  async function invite(tx: Executor, caller: Caller, { orgId, user, email, role }: Invitee): Promise<InvitationRow> {
    const row: InvitationRow = {
      id: ids(),
      org_id: orgId,
      user_id: user?.id ?? null,
      email,
      role,
      invited_by: caller.principal.userId,
      created_at: clock.now(),
      nonce: email === null ? null : newNonce(),
      expires_at: email === null ? null : clock.now() + VALID_MS,
    };
    if (email !== null) {
      await deleteInvitationsOf(tx, orgId, email);
      await events.record(tx, invitationTopic, { invitationId: row.id, invitedBy: caller.principal.userId });
    }
    await insertInvitation(tx, row);
    const message = `Invited ${user?.name ?? email} with the role ${role}`;
    const data = { invitation: row.id, ...(user ? { user: user.name } : { email }), role };
    await audit.record(tx, caller, { orgId, type: user ? 'org.invite_user' : 'org.invite.email', message, data });
    return row;
  }

  /** Revokes an invitation without checking permissions. */
  async function revoke(tx: Executor, caller: Caller, orgId: string, invitation: ListedInvitation): Promise<void> {
    await deleteInvitation(tx, invitation.id);
    const whom = invitation.userName ?? invitation.email ?? 'a deleted user';
    const data = { invitation: invitation.id, withdrawn: true };
    const type = invitation.email === null ? 'org.invite_user' : 'org.invite.email';
    await audit.record(tx, caller, { orgId, type, message: `Withdrew the invitation of ${whom}`, data });
  }

  return {
    invite,
    revoke,

    async list(caller: Caller, name: string, { cursor, limit }: PageQuery) {
      const { organization: org } = await requireOrganization(read, caller.principal, name, READING);
      const rows = await listInvitations(read, { orgId: org.id }, idFromCursor(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, (row) => row.id);
      return { items: items.map(present), next };
    },

    /** Lists the invitations to the caller, by account or by the account's own e-mail address. */
    async listOwn({ principal }: Caller, { cursor, limit }: PageQuery) {
      const account = await findAccountById(read, principal.userId);
      const to = { userId: principal.userId, email: account?.email?.toLowerCase(), now: clock.now() };
      const rows = await listInvitations(read, to, idFromCursor(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, (row) => row.id);
      return {
        items: items.map((row) => ({
          ...present(row),
          organization: { name: row.orgName, fullname: row.orgFullname },
        })),
        next,
      };
    },

    create: (caller: Caller, name: string, { user: username, email: given, role: wanted }: NewInvitation) =>
      database
        .transaction(async (tx) => {
          const { organization: org } = await lockOrganization(tx, caller.principal, name, ADMIN);
          const user = username === undefined ? undefined : requireUser(await findAccount(tx, username), username);
          const { name: role } = await requireRole(tx, org.id, wanted, 'role');
          if (user && (await findMember(tx, org.id, user.id))) throw conflict(`${user.name} is already a member`);
          const row = await invite(tx, caller, { orgId: org.id, user, email: given?.toLowerCase() ?? null, role });
          const made = present({ ...row, userName: user?.name ?? null, inviterName: caller.principal.userName });
          if (row.email === null) return made;
          return { ...made, secret: secrets.secretOf(row), url: secrets.linkOf(caller.baseUrl, row) };
        })
        .catch((error: unknown) => {
          throw sqlFault(error) === 'unique' ? conflict('An open invitation already exists') : error;
        }),

    withdraw: (caller: Caller, name: string, id: string) =>
      database.transaction(async (tx) => {
        const { organization: org } = await lockOrganization(tx, caller.principal, name, ADMIN);
        const invitation = await findInvitation(tx, id);
        if (invitation?.org_id !== org.id) throw notFound('There is no such invitation');
        await revoke(tx, caller, org.id, invitation);
      }),

    /**
     * Accepts an invitation to the caller; one by mail also needs its secret, or a confirmed own address (not one from an
     * identity provider). Throws 404 for other users, 409 if the invitation can no longer be accepted.
     */
    accept: (caller: Caller, id: string, secret = '') =>
      database.transaction(async (tx) => {
        const { userId, userName } = caller.principal;
        // The same queries run whether the invitation exists or not, so that the time reveals nothing.
        await lockAccount(tx, (await findInvitation(tx, id))?.org_id ?? '');
        const invitation = await findInvitation(tx, id);
        const user = await findAccountById(tx, userId);
        const email = user?.email?.toLowerCase();
        const hasSecret = secrets.isSecretOf(invitation ?? { id, nonce: null }, secret);
        const isAddressee = invitation && (invitation.user_id === userId || (email && invitation.email === email));
        if (!invitation || !(isAddressee || hasSecret)) throw notFound('There is no such invitation');
        const { org_id: orgId, role, email: invited, inviterName: invitedBy } = invitation;
        requireReach(caller.principal, orgId);
        await requireValid(tx, invitation, clock.now());
        // Whom SCIM has removed comes back by SCIM, or by an admin who invites the account by its name.
        if (invitation.user_id !== userId && (await isManaged(tx, orgId, userId)))
          throw conflict(
            'The identity provider of this organization manages your account; ask for an invitation by name',
          );
        await deleteInvitation(tx, id);
        if (await findMember(tx, orgId, userId)) return;
        // The account may have another address: whoever has the secret may accept.
        const message = `Accepted an invitation ${invited === null ? '' : `to ${invited} `}with the role ${role}`;
        const data = { invitation: id, user: userName, ...(invited !== null && { email: invited }), role, invitedBy };
        const entry = { type: 'org.invite.accept', message, data } as const;
        await memberships.set(tx, caller, { orgId, userId, role }, entry);
      }),
  };
}

/** Returns whether a user may still invite: invitations do not outlive the rights of the admin who sent them. */
const mayInvite = async (tx: Executor, orgId: string, userId: string | null): Promise<boolean> =>
  userId !== null && (await membershipRole(tx, orgId, userId)) === 'admin' && !(await isDisabled(tx, userId));

/** Throws 409 for an invitation that has expired, or whose sender or role is no longer there. */
async function requireValid(tx: Executor, invitation: ListedInvitation, now: number): Promise<void> {
  const { org_id: orgId, role, expires_at: expiresAt } = invitation;
  if (expiresAt !== null && expiresAt <= now) throw conflict('This invitation has expired; ask for another one');
  if (!(await mayInvite(tx, orgId, invitation.invited_by)))
    throw conflict('The sender of this invitation may no longer invite people; ask for another one');
  if (!(await findRole(tx, orgId, role)))
    throw conflict(`The organization has no role ${role} any more; ask for another invitation`);
}

type Presented = Pick<ListedInvitation, keyof InvitationRow | 'userName' | 'inviterName'>;

const present = (row: Presented) => ({
  id: row.id,
  ...(row.userName !== null && { user: row.userName }),
  ...(row.email !== null && { email: row.email }),
  role: row.role,
  ...(row.inviterName !== null && { invitedBy: row.inviterName }),
  createdAt: timestamp(row.created_at),
  ...(row.expires_at !== null && { expiresAt: timestamp(row.expires_at) }),
});
