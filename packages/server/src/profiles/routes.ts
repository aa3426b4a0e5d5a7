import * as contract from '@moonbase/contract/accounts/profiles';
import type { Routes } from '../platform/http/route.ts';
import type { Profiles } from './service.ts';

export function profileRoutes(routes: Routes, profiles: Profiles): void {
  routes.add(contract.whoAmI, ({ caller }) => profiles.whoAmI(caller));
  routes.add(contract.getUserOverview, ({ caller, params }) => profiles.userOverview(caller, params.username));
  routes.add(contract.getOrganizationOverview, ({ caller, params }) =>
    profiles.organizationOverview(caller, params.name),
  );
}
