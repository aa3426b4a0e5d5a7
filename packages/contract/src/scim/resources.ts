import { groupRoutes } from './group-routes.ts';
import type { Tree } from './operations.ts';
import { type UserWords, userRoutes } from './user-routes.ts';

/** The operations of a tree; there are two with other effects (W§6.8). */
const resourcesOf = <const Name extends Tree, const Label extends string>(
  tree: Name,
  label: Label,
  words: UserWords,
) => ({ ...userRoutes(tree, label, words), ...groupRoutes(tree, label) });

/** The tree for organizations whose members are the identity provider's. */
export const scim = resourcesOf('scim', 'Scim', {
  create: 'Makes an account that belongs to the organization, or takes a member into the care of SCIM.',
  change: 'Other than `externalId` and `active`, attributes change only where SCIM made the account.',
  remove: 'Erases the account where SCIM of this organization made it; otherwise the membership ends.',
});

/** The tree for organizations that invite people who have an account. */
export const scimProvisioning = resourcesOf('scim-provisioning', 'Provisioned', {
  create: 'Invites a user by name; whoever is a member already stays one.',
  change: '`externalId` and `active` change, other attributes are passed over.',
  remove: 'Ends the membership or the invitation.',
});

export type ScimResources = typeof scim | typeof scimProvisioning;
