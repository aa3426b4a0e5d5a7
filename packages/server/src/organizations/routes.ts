import * as contract from '@moonbase/contract/organizations/organizations';
import type { Routes } from '../platform/http/route.ts';
import type { Organizations } from './service.ts';

export function organizationRoutes(routes: Routes, organizations: Organizations): void {
  routes.add(contract.createOrganization, ({ caller, body }) => organizations.create(caller, body));
  routes.add(contract.updateOrganization, ({ caller, params, body }) =>
    organizations.update(caller, params.name, body),
  );
  routes.add(contract.deleteOrganization, async ({ caller, params }) => {
    await organizations.delete(caller, params.name);
    return { success: true as const };
  });
  routes.add(contract.restoreOrganization, ({ caller, params }) => organizations.restore(caller, params.name));
}
