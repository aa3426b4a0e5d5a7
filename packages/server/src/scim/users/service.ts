import type { ListResponse, ScimUser } from '@moonbase/contract/scim/shapes';
import { type Accounts, type Disabling, findAccountById } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Erase } from '../../members/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import { createAuditScim } from '../audit-scim.ts';
import type { RunScimChange } from '../change.ts';
import { baseUrlOf, type ScimContext } from '../context.ts';
import { touchGroupsOf } from '../groups/store.ts';
import { scimError } from '../protocol/errors.ts';
import { readOperations } from '../protocol/patch/operations.ts';
import { applyPatch } from '../protocol/patch/patch.ts';
import { isObject, type JsonObject, propertyOf } from '../protocol/resources/json.ts';
import { listResponse, presentUser, storedUser } from '../protocol/resources/output.ts';
import { type Projection, project } from '../protocol/resources/projection.ts';
import { readUser, type UserInput } from '../protocol/resources/user-input.ts';
import { ifMatch } from '../protocol/resources/versions.ts';
import { requireScim } from '../requirements.ts';
import { type Tagged, tagged, versionIn } from '../tagged.ts';
import type { MembershipStatus } from './membership-status.ts';
import type { PageCursors } from './page-cursors.ts';
import { readUserPage } from './pages.ts';
import { createUserProvisioning } from './provisioning.ts';
import { deleteScimUser } from './store.ts';
import { createUserChanges, isActive, isManagedHere } from './user-changes.ts';
import { listUsers, type UserRow } from './user-list-store.ts';

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
  readonly runChange: RunScimChange;
  readonly marks: PageCursors;
}

export type Users = ReturnType<typeof createUsers>;

const recordOf = (row: UserRow) => ({
  ...row,
  active: isActive(row),
  emailPrimary: row.emailPrimary === null ? null : row.emailPrimary === 1,
});

export function createUsers(dependencies: Dependencies) {
  const { database, clock, erase, standing, runChange, marks } = dependencies;
  const making = createUserProvisioning(dependencies);
  const { applyInput, setActive } = createUserChanges({ ...dependencies, making });
  const auditScim = createAuditScim(dependencies);
  const present = (caller: Caller, at: ScimContext, row: UserRow) =>
    presentUser(recordOf(row), { baseUrl: baseUrlOf(caller, at) });

  async function existing(executor: ReadExecutor, orgId: string, id: string): Promise<UserRow> {
    const [row] = await listUsers(executor, orgId, { filter: { op: 'eq', path: 'id', value: id }, limit: 1 });
    if (!row) throw scimError(404, 'There is no user with this id');
    return row;
  }

  const change = (
    caller: Caller,
    at: ScimContext,
    id: string,
    header: string | undefined,
    read: (row: UserRow) => UserInput,
  ): Promise<Tagged<ScimUser>> =>
    runChange(caller, at.name, async (tx, org) => {
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
      runChange(caller, at.name, async (tx, org) => {
        const input = readUser(body);
        const same = await making.sameUser(tx, at.tree, org.id, input);
        if (!same) return tagged(present(caller, at, await making.createOwnedAccount(tx, caller, org.id, input)));
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
          throw scimError(400, 'No attribute of a user can be removed', 'mutability');
        return readUser(applyPatch('User', changeable(row), body));
      }),

    /** Deletes a user: erases the account if this organization's SCIM created it, otherwise ends the membership. */
    delete: (caller: Caller, at: ScimContext, id: string, header: string | undefined): Promise<void> =>
      runChange(caller, at.name, async (tx, org) => {
        const row = await existing(tx, org.id, id);
        ifMatch(header, versionIn(present(caller, at, row)));
        const account = await findAccountById(tx, id);
        await standing.leave(tx, caller, org.id, id, false);
        await touchGroupsOf(tx, org.id, id, clock.now());
        await deleteScimUser(tx, org.id, id);
        if (!account) return;
        const managed = isManagedHere(at.tree, row, account);
        const what = managed ? `Erased the account ${account.name}` : `SCIM no longer manages ${account.name}`;
        if (row.owned !== null) await auditScim(tx, caller, org.id, what, { user: { _id: id, user: account.name } });
        if (managed) await erase(tx, caller, account);
      }),
  };
}

/** Returns the part of a user that a PATCH can change; of an account created elsewhere, that is little. */
const changeable = (row: UserRow): JsonObject =>
  storedUser(
    row.owned === 1
      ? recordOf(row)
      : { ...recordOf(row), givenName: null, familyName: null, formatted: null, displayName: null, email: null },
  );

/** Reads what the API for invitations accepts in a PUT. */
function standingIn(body: unknown): JsonObject {
  if (!isObject(body)) throw scimError(400, 'The body must be an object', 'invalidSyntax');
  return { externalId: propertyOf(body, 'externalId') ?? null, active: propertyOf(body, 'active') ?? true };
}
