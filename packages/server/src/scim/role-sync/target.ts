/** The place in which groups give roles: a resource group or, with null, the organization. */
export interface RoleTarget {
  readonly orgId: string;
  readonly resourceGroupId: string | null;
}

/** Returns the distinct targets of an organization in locking order, resource groups first. */
export function distinctTargets(orgId: string, resourceGroupIds: readonly (string | null)[]): RoleTarget[] {
  const groups = resourceGroupIds.filter((id) => id !== null);
  const ids = [...[...new Set(groups)].sort(), ...(groups.length < resourceGroupIds.length ? [null] : [])];
  return ids.map((resourceGroupId) => ({ orgId, resourceGroupId }));
}
