import { createCustomRoles, createMemberships, cutOffFrom, cutOffs } from '../access/index.ts';
import { createAccounts, createDisabling, createOwnTokens } from '../accounts/index.ts';
import type { Config } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import {
  createInvitationSecrets,
  createInvitations,
  createMemberList,
  createMembers,
  createMemberTokens,
  deleteInvitationsOfUsers,
  type IsManaged,
  invitationRoleKeeper,
} from '../members/index.ts';
import { grantsBehind } from '../oauth/index.ts';
import { createOrganizations } from '../organizations/index.ts';
import { findScimProvisioning, provisionedRoleKeeper, vouchedAddresses } from '../scim/index.ts';
import { createSignInParts } from '../sign-in/index.ts';
import { watchOrganization } from '../watching/index.ts';
import { changeOwner } from '../webhooks/index.ts';
import type { Foundation, ServiceOverrides } from './foundation.ts';

export type People = ReturnType<typeof createPeople>;

/** An access token or a session of a user, by its id; neither stands for the user. */
interface CredentialIds {
  readonly userId: string;
  readonly tokenId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Callbacks into slices further to the right. */
type Later = Pick<Required<Parameters<typeof createMemberships>[0]>, 'onJoin'> &
  Pick<Required<Parameters<typeof createCustomRoles>[0]>, 'onRoleRebased'>;

/** Creates the services for accounts, signing in and memberships. */
export function createPeople(
  config: Config,
  { hashing }: ServiceOverrides,
  { clock, logger, database, secretBox, signer }: Infrastructure,
  { ids, events, tasks, audit, callers }: Foundation,
  later: Later,
) {
  const tokenRules = { column: cutOffs, read: cutOffFrom };
  const accounts = createAccounts({ database, clock, ids, events, cutOffs: tokenRules });
  const signIn = createSignInParts({
    ...{ database, clock, ids, logger, events, audit, tasks, signer, secretBox, accounts, callers, settings: config },
    ...{ cutOffs: tokenRules, hashing },
  });
  const disabling = createDisabling({
    database,
    clock,
    events,
    audit,
    callers,
    onChange: (tx, userId) => changeOwner(tx, userId, clock.now()),
  });
  const memberships = createMemberships({
    clock,
    events,
    audit,
    onAccess: (tx, { orgId, userIds }) => watchOrganization(tx, userIds, orgId, clock.now()),
    // An invitation that stayed open would bring back a member who is removed later.
    onJoin: async (tx, actor, joined) => {
      await deleteInvitationsOfUsers(tx, joined);
      await later.onJoin(tx, actor, joined);
    },
    onLeave: deleteInvitationsOfUsers,
  });
  const customRoles = createCustomRoles({
    database,
    clock,
    events,
    audit,
    keepers: [invitationRoleKeeper, provisionedRoleKeeper],
    onRoleRebased: (...where) => later.onRoleRebased(...where),
  });
  const organizations = createOrganizations({ database, clock, events, tasks, accounts, memberships, audit });
  const memberList = createMemberList({ database, vouched: vouchedAddresses });
  const isManaged: IsManaged = async (tx, orgId, userId) => (await findScimProvisioning(tx, orgId, userId)).isKnown;
  const members = createMembers({ database, clock, memberships, audit, events, isManaged });
  const secrets = createInvitationSecrets(signer);
  const invitations = createInvitations({ database, clock, ids, memberships, audit, events, secrets, isManaged });
  const memberTokens = createMemberTokens({ database, clock, audit });
  const ownTokens = createOwnTokens({
    database,
    clock,
    accounts,
    audit,
    callers,
    maxTokens: config.maxTokens,
    onTokenCreated: memberTokens.onTokenCreated,
    tokensBehind: grantsBehind,
  });
  return {
    ...{ accounts, signIn, disabling, ownTokens, memberships, customRoles },
    ...{ organizations, memberList, members, invitations, memberTokens },
    /** The rules of organizations about tokens. */
    tokenRules,
    /** Returns the principal of an access token or a session that is known by its id, as of now. */
    principalOf: ({ userId, tokenId, sessionId }: CredentialIds) =>
      sessionId === undefined
        ? accounts.principalOf(database.read, { userId, tokenId: tokenId ?? null })
        : signIn.sessions.principalOf(sessionId),
    /** The secrets of invitations by mail. */
    secrets,
  };
}
