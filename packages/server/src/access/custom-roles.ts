import type { BuiltInRole } from '@moonbase/contract/primitives';
import { nameKey } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import { keyFromCursor, pageFrom } from '../platform/http/pagination.ts';
import { createRoleChanges, type RoleChangeDependencies, requireFree } from './custom-role-changes.ts';
import {
  countHolders,
  deleteRole,
  findCustomRole,
  holdersOf,
  insertRole,
  listRoles,
  updateRole,
} from './custom-role-store.ts';
import { lockOrganization, requireOrganization, requirePlan } from './organizations.ts';
import type { CustomRoleRow } from './tables.ts';

export type CustomRoles = ReturnType<typeof createCustomRoles>;

interface Dependencies extends RoleChangeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

const present = ({ name, base, description }: CustomRoleRow, members: number) => ({
  name,
  base,
  ...(description !== null && { description }),
  members,
});

export function createCustomRoles(dependencies: Dependencies) {
  const { database, clock, audit } = dependencies;
  const changes = createRoleChanges(dependencies);

  /** Runs a change of an organization's roles, by one of its admins. */
  const runChange = <T>(caller: Caller, name: string, change: (tx: Executor, orgId: string) => Promise<T>) =>
    database.transaction(async (tx) => {
      const need = { role: 'admin', permission: 'org.write' } as const;
      const { organization } = await lockOrganization(tx, caller.principal, name, need);
      requirePlan(organization, 'enterprise');
      return change(tx, organization.id);
    });

  async function existing(tx: Executor, orgId: string, name: string): Promise<CustomRoleRow> {
    const role = await findCustomRole(tx, orgId, name);
    if (!role) throw notFound('There is no custom role with this name');
    return role;
  }

  return {
    async list(caller: Caller, name: string, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const need = { role: 'member', permission: 'org.read' } as const;
      const { organization } = await requireOrganization(database.read, caller.principal, name, need);
      requirePlan(organization, 'enterprise');
      const [, createdAt, key = ''] = cursor === undefined ? [] : keyFromCursor(cursor, /^(\d{1,15})\.(.{1,64})$/);
      const after = createdAt === undefined ? undefined : { created_at: Number(createdAt), name_key: key };
      const rows = await listRoles(database.read, organization.id, after, limit + 1);
      const { items, next } = pageFrom(rows, limit, (row) => `${row.created_at}.${row.name_key}`);
      const holders = await holdersOf(database.read, organization.id);
      return { items: items.map((role) => present(role, holders.get(role.name) ?? 0)), next };
    },

    create: (
      caller: Caller,
      organization: string,
      { name, base, description }: { name: string; base: BuiltInRole; description?: string | undefined },
    ) =>
      runChange(caller, organization, async (tx, orgId) => {
        await requireFree(tx, orgId, name);
        const role: CustomRoleRow = {
          org_id: orgId,
          name,
          base,
          description: description ?? null,
          created_at: clock.now(),
          name_key: nameKey(name),
        };
        await insertRole(tx, role);
        const message = `Created the custom role ${name}, which stands on ${base}`;
        const data = { name, base, ...(description !== undefined && { description }) };
        await audit.record(tx, caller, { orgId, type: 'org.custom_role.create', message, data });
        return present(role, 0);
      }),

    update: (
      caller: Caller,
      organization: string,
      roleName: string,
      change: {
        readonly name?: string | undefined;
        readonly base?: BuiltInRole | undefined;
        readonly description?: string | null | undefined;
      },
    ) =>
      runChange(caller, organization, async (tx, orgId) => {
        const before = await existing(tx, orgId, roleName);
        const { name = before.name, base = before.base, description = before.description } = change;
        const role = { ...before, name, name_key: nameKey(name), base, description };
        if (name !== before.name) await changes.rename(tx, before, role);
        if (base !== before.base || description !== before.description) await updateRole(tx, role);
        if (base !== before.base) await changes.changeBase(tx, caller, { ...role, base: before.base }, base);
        const of = (row: CustomRoleRow) => ({
          ...(name !== before.name && { name: row.name }),
          base: row.base,
          description: row.description,
        });
        const data = { name, before: of(before), after: of(role) };
        const what = name === before.name ? name : `${before.name} to ${name}`;
        const message = `Changed the custom role ${what}, which stands on ${base}`;
        if (JSON.stringify(data.before) !== JSON.stringify(data.after))
          await audit.record(tx, caller, { orgId, type: 'org.custom_role.update', message, data });
        return present(role, await countHolders(tx, orgId, name));
      }),

    delete: (caller: Caller, organization: string, roleName: string) =>
      runChange(caller, organization, async (tx, orgId) => {
        const { name, base } = await existing(tx, orgId, roleName);
        if (await changes.isInUse(tx, orgId, name))
          throw conflict(`The custom role ${name} is in use; give those who have it another one first`);
        await deleteRole(tx, orgId, name);
        const message = `Deleted the custom role ${name}`;
        await audit.record(tx, caller, { orgId, type: 'org.custom_role.delete', message, data: { name, base } });
      }),
  };
}
