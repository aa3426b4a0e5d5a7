import * as contract from '@moonbase/contract/organizations/custom-roles';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { CustomRoles } from './custom-roles.ts';

export function customRoleRoutes(routes: Routes, roles: CustomRoles): void {
  routes.add(contract.listCustomRoles, async ({ caller, params, query }) =>
    answerPage(await roles.list(caller, params.name, query), caller.url),
  );
  routes.add(contract.createCustomRole, ({ caller, params, body }) => roles.create(caller, params.name, body));
  routes.add(contract.updateCustomRole, ({ caller, params, body }) =>
    roles.update(caller, params.name, params.role, body),
  );
  routes.add(contract.deleteCustomRole, async ({ caller, params }) => {
    await roles.delete(caller, params.name, params.role);
    return { success: true as const };
  });
}
