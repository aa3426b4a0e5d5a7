import type { ListResponse, ScimUser } from '@moonbase/contract/scim/shapes';
import { type Account, type Accounts, type Disabling, findAccountById } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Erase } from '../../members/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Changing, ScimApi } from '../change.ts';
import { baseUrlOf, type ScimContext } from '../context.ts';
import { touchGroupsOf } from '../groups/store.ts';
import { scimError } from '../protocol/errors.ts';
import { readOperations } from '../protocol/patch/operations.ts';
import { applyPatch } from '../protocol/patch/patch.ts';
import { isObject, type JsonObject, propertyOf } from '../protocol/resources/json.ts';
import { keptUser, listResponse, presentUser } from '../protocol/resources/output.ts';
import { type Projection, project } from '../protocol/resources/projection.ts';
import { readUser, type UserInput } from '../protocol/resources/user-input.ts';
import { ifMatch } from '../protocol/resources/versions.ts';
import { requireScim } from '../requirements.ts';
import { type Tagged, tagged, versionIn } from '../tagged.ts';
import { freeAccountName } from './account-name.ts';
import { attributesOf, differences, fullnameOf, inputOf } from './attributes.ts';
import { listUsers, type UserRow } from './list.ts';
import type { MembershipStatus } from './membership-status.ts';
import type { PageCursors } from './page-cursors.ts';
import { readUserPage } from './pages.ts';
import { createUserMaking } from './provisioning.ts';
import { forgetScimUser, updateScimUser } from './store.ts';

export type ListQuery = Projection & {
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
  readonly filter?: string | undefined;
};

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly disabling: Disabling;
  readonly audit: AuditLog;
  readonly erase: Erase;
  readonly standing: MembershipStatus;
  readonly changing: Changing;
  readonly marks: PageCursors;
}

export type Users = ReturnType<typeof createUsers>;

const isActive = (row: UserRow): boolean => row.active === 1;
const recordOf = (row: UserRow) => ({
  ...row,
  active: isActive(row),
  emailPrimary: row.emailPrimary === null ? null : row.emailPrimary === 1,
});

export function createUsers(dependencies: Dependencies) {
  const { database, clock, ids, accounts, disabling, audit, erase, standing, changing, marks } = dependencies;
  const making = createUserMaking(dependencies);
  const present = (caller: Caller, at: ScimContext, row: UserRow) =>
    presentUser(recordOf(row), { baseUrl: baseUrlOf(caller, at) });

  async function existing(executor: ReadExecutor, orgId: string, id: string): Promise<UserRow> {
    const [row] = await listUsers(executor, orgId, { filter: { op: 'eq', path: 'id', value: id }, limit: 1 });
    if (!row) throw scimError(404, 'There is no user with this id');
    return row;
  }

  const note = (tx: Executor, caller: Caller, orgId: string, message: string, data: object) =>
    audit.record(tx, caller, { orgId, type: 'org.update_settings', message, data });

  const setActive = (
    tx: Executor,
    caller: Caller,
    tree: ScimApi,
    orgId: string,
    user: Pick<Account, 'id' | 'name'>,
    active: boolean,
  ): Promise<void> =>
    active ? standing.enter(tx, caller, tree, orgId, user) : standing.leave(tx, caller, orgId, user.id, true);

  /** Of an account that SCIM made here, `active` is also whether the account is enabled. */
  async function setEnabled(tx: Executor, caller: Caller, orgId: string, { id, name }: Account, enabled: boolean) {
    const changed = await (enabled ? disabling.enableFor(tx, orgId, id) : disabling.disableFor(tx, orgId, id));
    const message = `${enabled ? 'Enabled' : 'Disabled'} the account ${name}`;
    if (changed) await note(tx, caller, orgId, message, { user: { _id: id, user: name } });
  }

  /** Whether a user is already as `active` says. One who reads as inactive may still belong here, or be enabled. */
  async function isAsWanted(
    tx: Executor,
    orgId: string,
    row: UserRow,
    account: Account,
    mine: boolean,
    active: boolean,
  ) {
    if (active !== isActive(row)) return false;
    return active || !((mine && account.disabled_at === null) || (await standing.belongs(tx, orgId, row.id)));
  }

  /** Brings a user to what a provider wants: all attributes of an account that SCIM made here, of others some. */
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
    const mine = isMine(tree, row, account);
    const { active, externalId } = input;
    const wanted = mine ? input : { ...inputOf(row), externalId, active };
    const changed = differences(row, wanted);
    const asWanted = await isAsWanted(tx, org.id, row, account, mine, active);
    if (changed.length === 0 && asWanted) return;
    if (row.owned === null) {
      const email = row.email ?? undefined;
      await making.adopt(tx, caller, org.id, account, { userName: account.name, externalId, ...(email && { email }) });
    } else {
      const change = { ...attributesOf(wanted), external_id: externalId, updated_at: clock.now() };
      await updateScimUser(tx, org.id, row.id, change);
      if (changed.length > 0) {
        const data = { user: { _id: row.id, user: account.name }, changed };
        await note(tx, caller, org.id, `Changed ${changed.join(', ')} of ${account.name}`, data);
      }
    }
    if (mine && changed.length > 0) {
      const name = changed.includes('userName')
        ? await freeAccountName(tx, ids, wanted.userName, account.id)
        : account.name;
      await accounts.update(tx, account, { name, fullname: fullnameOf(wanted) });
    }
    if (asWanted) return;
    await setActive(tx, caller, tree, org.id, account, active);
    if (mine) await setEnabled(tx, caller, org.id, account, active);
  }

  const change = (
    caller: Caller,
    at: ScimContext,
    id: string,
    header: string | undefined,
    read: (row: UserRow) => UserInput,
  ): Promise<Tagged<ScimUser>> =>
    changing(caller, at.name, async (tx, org) => {
      const row = await existing(tx, org.id, id);
      ifMatch(header, versionIn(present(caller, at, row)));
      await applyInput(tx, caller, at, org, row, read(row));
      return tagged(present(caller, at, await existing(tx, org.id, id)));
    });

  return {
    async list(caller: Caller, at: ScimContext, query: ListQuery): Promise<ListResponse<ScimUser>> {
      const { id: orgId } = await requireScim(database.read, caller.principal, at.name);
      const { rows, ...page } = await readUserPage(database.read, marks, orgId, query);
      return listResponse(
        rows.map((row) => project('User', present(caller, at, row), query)),
        page,
      );
    },

    async get(caller: Caller, at: ScimContext, id: string, query: Projection): Promise<Tagged<ScimUser>> {
      const { id: orgId } = await requireScim(database.read, caller.principal, at.name);
      const user = tagged(present(caller, at, await existing(database.read, orgId, id)));
      return { ...user, resource: project('User', user.resource, query) };
    },

    create: (caller: Caller, at: ScimContext, body: unknown): Promise<Tagged<ScimUser>> =>
      changing(caller, at.name, async (tx, org) => {
        const input = readUser(body);
        const same = await making.sameUser(tx, at.tree, org.id, input);
        if (!same) return tagged(present(caller, at, await making.make(tx, caller, org.id, input)));
        await making.adopt(tx, caller, org.id, same, input);
        await setActive(tx, caller, at.tree, org.id, same, input.active);
        return tagged(present(caller, at, await existing(tx, org.id, same.id)));
      }),

    replace: (caller: Caller, at: ScimContext, id: string, body: unknown, header: string | undefined) =>
      change(caller, at, id, header, (row) =>
        at.tree === 'scim' ? readUser(body) : readUser({ userName: row.userName, ...standingIn(body) }),
      ),

    patch: (caller: Caller, at: ScimContext, id: string, body: unknown, header: string | undefined) =>
      change(caller, at, id, header, (row) => {
        if (at.tree === 'scim-provisioning' && readOperations(body).some(({ op }) => op === 'remove'))
          throw scimError(400, 'Nothing of a user can be removed here', 'mutability');
        return readUser(applyPatch('User', changeable(row), body));
      }),

    /** Erases the account where this organization's SCIM made it; otherwise it ends what the user is here. */
    delete: (caller: Caller, at: ScimContext, id: string, header: string | undefined): Promise<void> =>
      changing(caller, at.name, async (tx, org) => {
        const row = await existing(tx, org.id, id);
        ifMatch(header, versionIn(present(caller, at, row)));
        const account = await findAccountById(tx, id);
        await standing.leave(tx, caller, org.id, id, false);
        await touchGroupsOf(tx, org.id, id, clock.now());
        await forgetScimUser(tx, org.id, id);
        if (!account) return;
        const mine = isMine(at.tree, row, account);
        const what = mine ? `Erased the account ${account.name}` : `SCIM no longer manages ${account.name}`;
        if (row.owned !== null) await note(tx, caller, org.id, what, { user: { _id: id, user: account.name } });
        if (mine) await erase(tx, caller, account);
      }),
  };
}

/** What a PATCH is applied to: of an account that was not made here nothing else can be changed. */
const changeable = (row: UserRow): JsonObject =>
  keptUser(
    row.owned === 1
      ? recordOf(row)
      : { ...recordOf(row), givenName: null, familyName: null, formatted: null, displayName: null, email: null },
  );

/** Whoever has become a site administrator is nobody's to change any more. */
const isMine = (tree: ScimApi, { owned }: UserRow, { site_admin }: Account): boolean =>
  tree === 'scim' && owned === 1 && site_admin === 0;

/** What the tree for invitations takes of a PUT. */
function standingIn(body: unknown): JsonObject {
  if (!isObject(body)) throw scimError(400, 'The body must be an object', 'invalidSyntax');
  return { externalId: propertyOf(body, 'externalId') ?? null, active: propertyOf(body, 'active') ?? true };
}
