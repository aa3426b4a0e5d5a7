import { markProvisioned } from '../../access/index.ts';
import type { Account, Accounts } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import { createAuditScim } from '../audit-scim.ts';
import type { ScimApi } from '../change.ts';
import { scimError } from '../protocol/errors.ts';
import { fold } from '../protocol/filter/filter.ts';
import type { UserInput } from '../protocol/resources/user-input.ts';
import { freeAccountName, userNameConflict } from './account-name.ts';
import { attributesOf, fullnameOf, inputFrom } from './attributes.ts';
import type { MembershipStatus } from './membership-status.ts';
import { findNamesakes, insertScimUser } from './store.ts';
import type { UserRow } from './user-list-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  readonly standing: MembershipStatus;
}

export type UserProvisioning = ReturnType<typeof createUserProvisioning>;

/** Creates users or takes existing accounts over. */
export function createUserProvisioning({ clock, ids, accounts, audit, standing }: Dependencies) {
  const auditScim = createAuditScim({ audit });

  /** Takes an existing account into management by SCIM; the account itself does not change. */
  async function adopt(
    tx: Executor,
    caller: Caller,
    orgId: string,
    account: Pick<Account, 'id' | 'name' | 'fullname' | 'email'>,
    given: Pick<UserInput, 'userName' | 'externalId' | 'email' | 'emailType'>,
  ): Promise<void> {
    const now = clock.now();
    const joinedAt = (await markProvisioned(tx, orgId, [account.id])).get(account.id);
    // The address of a user outside the organization is not revealed to it.
    const email = (joinedAt === undefined ? null : account.email) ?? given.email ?? null;
    await insertScimUser(tx, {
      ...attributesOf({ ...inputFrom({ ...account, email }), userName: given.userName }),
      email_type: email === null ? null : (given.emailType ?? null),
      org_id: orgId,
      user_id: account.id,
      owned: 0,
      external_id: given.externalId,
      taken: null,
      created_at: joinedAt ?? now,
      updated_at: now,
    });
    const user = { _id: account.id, user: account.name };
    await auditScim(tx, caller, orgId, `SCIM now manages ${account.name}`, { user, ...given });
  }

  /** Creates an account that the organization owns. */
  async function createOwnedAccount(tx: Executor, caller: Caller, orgId: string, input: UserInput): Promise<UserRow> {
    const name = await freeAccountName(tx, ids, input.userName);
    const now = clock.now();
    const account = await accounts.create(tx, {
      ...{ kind: 'user', name, fullname: fullnameOf(input) },
      ...(!input.active && { disabled_at: now, disabled_by: orgId }),
    });
    const { id } = account;
    const attributes = attributesOf(input);
    await insertScimUser(tx, {
      ...attributes,
      org_id: orgId,
      user_id: id,
      owned: 1,
      external_id: input.externalId,
      taken: null,
      created_at: now,
      updated_at: now,
    });
    if (input.active) await standing.begin(tx, caller, orgId, account);
    else
      await auditScim(tx, caller, orgId, `Created the account ${name}, disabled and not yet a member`, {
        user: { _id: id, user: name },
      });
    return {
      id,
      owned: 1,
      externalId: input.externalId,
      userName: attributes.user_name,
      givenName: attributes.given_name,
      familyName: attributes.family_name,
      formatted: attributes.formatted,
      displayName: attributes.display_name,
      email: attributes.email,
      emailType: attributes.email_type,
      emailPrimary: attributes.email_primary,
      active: input.active ? 1 : 0,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Returns the existing account that a provider means when it creates a user, if any. */
  async function sameUser(tx: Executor, tree: ScimApi, orgId: string, input: UserInput) {
    const found = await findNamesakes(tx, orgId, fold(input.userName));
    const named = found.find(({ byName }) => byName === 1);
    const byEmail = found.filter(({ byName, member, known }) => !byName && member > 0 && !known);
    const same = named ?? (byEmail.length === 1 ? byEmail[0] : undefined);
    if (tree === 'scim-provisioning') {
      if (same?.kind !== 'user') throw scimError(404, `There is no user named ${input.userName}`);
    } else if (same && same.member === 0) throw userNameConflict();
    if (same && (same.known > 0 || same.kind !== 'user')) throw userNameConflict();
    return same;
  }

  return { adopt, createOwnedAccount, sameUser };
}
