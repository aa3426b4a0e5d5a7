import * as contract from '@moonbase/contract/accounts/quotas';
import type { Routes } from '../platform/http/route.ts';
import type { AccountQuotas } from './service.ts';

export function quotaRoutes(routes: Routes, quotas: AccountQuotas): void {
  routes.add(contract.getOwnQuotas, ({ caller }) => quotas.usageOfCaller(caller));
  routes.add(contract.getOrganizationStorageUsage, ({ caller, params }) =>
    quotas.usageOfOrganization(caller, params.name),
  );
  routes.add(contract.getQuota, ({ params }) => quotas.get(params.name));
  routes.add(contract.updateQuota, ({ caller, params, body }) => quotas.set(caller, params.name, body));
}
