/** Returns the path of the list of an organization's resource groups. */
export const pathOfGroups = (organization: string): string =>
  `/organizations/${encodeURIComponent(organization)}/resource-groups`;

/** Returns the path of the page of a resource group. */
export const pathOfGroup = (organization: string, id: string): string => `${pathOfGroups(organization)}/${id}`;
