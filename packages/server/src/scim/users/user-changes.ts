import { type Account, type Accounts, type Disabling, findAccountById } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import { createAuditScim } from '../audit-scim.ts';
import type { ScimApi } from '../change.ts';
import type { ScimContext } from '../context.ts';
import { scimError } from '../protocol/errors.ts';
import type { UserInput } from '../protocol/resources/user-input.ts';
import { freeAccountName } from './account-name.ts';
import { attributesOf, differences, fullnameOf, inputOf } from './attributes.ts';
import type { MembershipStatus } from './membership-status.ts';
import type { UserProvisioning } from './provisioning.ts';
import { updateScimUser } from './store.ts';
import type { UserRow } from './user-list-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly disabling: Disabling;
  readonly audit: AuditLog;
  readonly standing: MembershipStatus;
  readonly making: UserProvisioning;
}

export const isActive = (row: UserRow): boolean => row.active === 1;

/** Returns whether SCIM may change an account: only accounts that it created, and never site administrators. */
export const isManagedHere = (tree: ScimApi, { owned }: UserRow, { site_admin }: Account): boolean =>
  tree === 'scim' && owned === 1 && site_admin === 0;

/** Creates the functions that apply a provider's changes to users. */
export function createUserChanges(dependencies: Dependencies) {
  const { clock, ids, accounts, disabling, standing, making } = dependencies;
  const auditScim = createAuditScim(dependencies);

  const setActive = (
    tx: Executor,
    caller: Caller,
    tree: ScimApi,
    orgId: string,
    user: Pick<Account, 'id' | 'name'>,
    active: boolean,
  ): Promise<void> =>
    active ? standing.enter(tx, caller, tree, orgId, user) : standing.leave(tx, caller, orgId, user.id, true);

  /** Enables or disables an account that SCIM created, according to `active`. */
  async function setEnabled(tx: Executor, caller: Caller, orgId: string, { id, name }: Account, enabled: boolean) {
    const changed = await (enabled ? disabling.enableFor(tx, orgId, id) : disabling.disableFor(tx, orgId, id));
    const message = `${enabled ? 'Enabled' : 'Disabled'} the account ${name}`;
    if (changed) await auditScim(tx, caller, orgId, message, { user: { _id: id, user: name } });
  }

  /**
   * Returns whether a user already matches `active`. A user presented as inactive may still be a member, or enabled.
   */
  async function isAsWanted(
    tx: Executor,
    orgId: string,
    row: UserRow,
    account: Account,
    managed: boolean,
    active: boolean,
  ) {
    if (active !== isActive(row)) return false;
    return active || !((managed && account.disabled_at === null) || (await standing.belongs(tx, orgId, row.id)));
  }

  /**
   * Applies a provider's input to a user: all attributes of an account that SCIM created, and some of other accounts.
   */
  async function applyInput(
    tx: Executor,
    caller: Caller,
    { tree }: ScimContext,
    org: Account,
    row: UserRow,
    input: UserInput,
  ) {
    const account = await findAccountById(tx, row.id);
    if (!account) throw scimError(404, 'There is no user with this id');
    const managed = isManagedHere(tree, row, account);
    const { active, externalId } = input;
    const wanted = managed ? input : { ...inputOf(row), externalId, active };
    const changed = differences(row, wanted);
    const asWanted = await isAsWanted(tx, org.id, row, account, managed, active);
    if (changed.length === 0 && asWanted) return;
    if (row.owned === null) {
      const email = row.email ?? undefined;
      await making.adopt(tx, caller, org.id, account, { userName: account.name, externalId, ...(email && { email }) });
    } else {
      const change = { ...attributesOf(wanted), external_id: externalId, updated_at: clock.now() };
      await updateScimUser(tx, org.id, row.id, change);
      if (changed.length > 0) {
        const data = { user: { _id: row.id, user: account.name }, changed };
        await auditScim(tx, caller, org.id, `Changed ${changed.join(', ')} of ${account.name}`, data);
      }
    }
    if (managed && changed.length > 0) {
      const name = changed.includes('userName')
        ? await freeAccountName(tx, ids, wanted.userName, account.id)
        : account.name;
      await accounts.update(tx, account, { name, fullname: fullnameOf(wanted) });
    }
    if (asWanted) return;
    await setActive(tx, caller, tree, org.id, account, active);
    if (managed) await setEnabled(tx, caller, org.id, account, active);
  }

  return { applyInput, setActive };
}
