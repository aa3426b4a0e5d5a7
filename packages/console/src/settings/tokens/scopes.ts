import type { createAccessToken } from '@moonbase/client/access-tokens';

type Scopes = NonNullable<Parameters<typeof createAccessToken>[0]['fineGrained']>;
export type Permission = NonNullable<Scopes['global']>[number];
type EntityType = NonNullable<Scopes['scoped']>[number]['entity']['type'];

/** A user, an organization or a repository that a fine-grained token reaches, with its permissions there. */
export interface Scope {
  readonly entity: { readonly _id: string; readonly type: EntityType; readonly name: string };
  readonly permissions: readonly Permission[];
}

/** A permission and its description. */
export type Choice = readonly [permission: Permission, words: string];

const REPOSITORIES: readonly Choice[] = [
  ['repo.content.read', 'Read the content of private repositories'],
  ['repo.write', 'Write to repositories, change their settings, create and delete them'],
  ['discussion.write', 'Open discussions and pull requests, and comment'],
];
const COLLECTIONS: readonly Choice[] = [
  ['collection.read', 'Read private collections'],
  ['collection.write', 'Create, change and delete collections'],
];
const JOBS: readonly Choice[] = [
  ['job.read', 'See jobs and their logs'],
  ['job.write', 'Run and cancel jobs'],
];

const OF_USER: readonly Choice[] = [
  ...REPOSITORIES,
  ...COLLECTIONS,
  ['user.webhooks.read', 'See webhooks'],
  ['user.webhooks.write', 'Create and change webhooks'],
  ['user.notifications.read', 'Read notifications'],
  ['user.notifications.write', 'Mark notifications as read and done'],
  ['user.settings.read', 'See settings and access tokens'],
  ['user.settings.write', 'Change settings, create and delete access tokens'],
  ...JOBS,
];
const OF_ORGANIZATION: readonly Choice[] = [
  ...REPOSITORIES,
  ...COLLECTIONS,
  ['org.read', 'See members, settings and the audit log'],
  ['org.write', 'Change members and settings'],
  ['resourceGroup.read', 'See resource groups'],
  ['resourceGroup.write', 'Change resource groups'],
  ...JOBS,
];
/** A bucket has no discussions. */
const OF_BUCKET: readonly Choice[] = [
  ['repo.content.read', 'Read its content'],
  ['repo.write', 'Write to it and change its settings'],
];
const OF_REPOSITORY: readonly Choice[] = [
  ...OF_BUCKET,
  ['discussion.write', 'Open discussions and pull requests, and comment'],
];

/** The permissions that apply to objects of a type. */
export function choicesOf(type: EntityType): readonly Choice[] {
  if (type === 'user') return OF_USER;
  if (type === 'org') return OF_ORGANIZATION;
  return type === 'bucket' ? OF_BUCKET : OF_REPOSITORY;
}

/** The permissions that a token may have everywhere, besides its scopes. */
export const EVERYWHERE: readonly Choice[] = [
  ['discussion.write', 'Open discussions and pull requests, and comment, wherever you may'],
];

/** Returns the scopes for the hub's API, without those that have no permissions. */
export const scopesOf = (scopes: readonly Scope[], everywhere: readonly Permission[]): Scopes => ({
  scoped: scopes
    .filter(({ permissions }) => permissions.length > 0)
    .map(({ entity, permissions }) => ({ entity, permissions: [...permissions] })),
  ...(everywhere.length > 0 && { global: [...everywhere] }),
});
