import { explainAccess } from '@moonbase/contract/organizations/custom-roles';
import * as contract from '@moonbase/contract/organizations/resource-groups';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath } from '../repositories/index.ts';
import type { ExplainAccess } from './access-report.ts';
import type { ResourceGroups } from './service.ts';

interface Services {
  readonly resourceGroups: ResourceGroups;
  readonly explainAccess: ExplainAccess;
}

const SUCCESS = { success: true } as const;

export function resourceGroupRoutes(
  routes: Routes,
  { resourceGroups: groups, explainAccess: explain }: Services,
): void {
  routes.add(explainAccess, ({ caller, params, query }) => explain(caller, params.name, query));
  routes.add(contract.listResourceGroups, ({ caller, params }) => groups.list(caller, params.name));
  routes.add(contract.createResourceGroup, ({ caller, params, body }) => groups.create(caller, params.name, body));
  routes.add(contract.getResourceGroup, ({ caller, params }) =>
    groups.get(caller, params.name, params.resourceGroupId),
  );
  routes.add(contract.updateResourceGroup, ({ caller, params, body }) =>
    groups.update(caller, params.name, params.resourceGroupId, body),
  );
  routes.add(contract.deleteResourceGroup, async ({ caller, params }) => {
    await groups.delete(caller, params.name, params.resourceGroupId);
    return SUCCESS;
  });
  routes.add(contract.configureResourceGroup, ({ caller, params, body }) =>
    groups.configure(caller, params.name, params.resourceGroupId, body),
  );
  routes.add(contract.addResourceGroupUsers, ({ caller, params, body }) =>
    groups.addUsers(caller, params.name, params.resourceGroupId, body.users),
  );
  routes.add(contract.updateResourceGroupUser, ({ caller, params, body }) =>
    groups.setUserRole(caller, params.name, params.resourceGroupId, params.username, body.role),
  );
  routes.add(contract.removeResourceGroupUser, ({ caller, params }) =>
    groups.removeUser(caller, params.name, params.resourceGroupId, params.username),
  );
  routes.add(contract.setRepoResourceGroup, ({ caller, params, body }) =>
    groups.setOfRepo(caller, nameInPath(params), body.resourceGroupId),
  );
  routes.add(contract.getRepoResourceGroup, ({ caller, params }) => groups.ofRepo(caller, nameInPath(params)));
  routes.add(contract.setCollectionResourceGroup, async ({ caller, params, body }) => {
    await groups.setOfCollection(caller, params, body.resourceGroupId);
    return SUCCESS;
  });
  routes.add(contract.getCollectionResourceGroup, ({ caller, params }) => groups.ofCollection(caller, params));
}
