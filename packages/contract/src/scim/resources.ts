import { groupRoutes } from './group-routes.ts';
import type { ScimApiName } from './operations.ts';
import { type UserWords, userRoutes } from './user-routes.ts';

/** The operations of a tree; the two trees differ in their effects (W§6.8). */
const resourcesOf = <const Name extends ScimApiName, const Label extends string>(
  tree: Name,
  label: Label,
  words: UserWords,
) => ({ ...userRoutes(tree, label, words), ...groupRoutes(tree, label) });

/** The tree for organizations whose accounts an identity provider manages. */
export const scim = resourcesOf('scim', 'Scim', {
  create:
    'Creates an account that belongs to the organization, or puts an existing member under the management of SCIM.',
  change: 'Attributes other than `externalId` and `active` change only if SCIM created the account.',
  remove: 'Deletes the account if SCIM of this organization created it; otherwise ends the membership.',
});

/** The tree for organizations that invite existing users. */
export const scimProvisioning = resourcesOf('scim-provisioning', 'Provisioned', {
  create: 'Invites a user by name; an existing member remains one.',
  change: 'Changes `externalId` and `active`; other attributes are ignored.',
  remove: 'Ends the membership or the invitation.',
});

export type ScimResources = typeof scim | typeof scimProvisioning;
