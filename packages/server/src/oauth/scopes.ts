import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import { GRANTED_SCOPES, type GrantedScope, OauthScope } from '@moonbase/contract/oauth/scopes';
import type { Permission } from '@moonbase/contract/route';

/** The permissions of a scope: on the user and the chosen organizations, and on everything. */
interface Meaning {
  readonly description: string;
  readonly scoped?: readonly Permission[];
  readonly global?: readonly Permission[];
  /** Whether the scope opens gated repositories. */
  readonly gated?: true;
}

const NOTHING_HERE = 'Nothing on this hub';
const CHANGES: readonly Permission[] = ['repo.content.read', 'repo.write'];

/** The permissions of each scope. A scope without a counterpart on this hub is stored with the grant but gives none. */
const MEANINGS: Readonly<Record<GrantedScope, Meaning>> = {
  openid: { description: 'Know who you are' },
  profile: { description: 'Read your name and picture' },
  email: { description: 'Read your e-mail address' },
  'read-billing': { description: NOTHING_HERE },
  'read-memberships': { description: 'Know your organizations and their members', scoped: ['org.read'] },
  'read-repos': { description: 'Read your private repositories', scoped: ['repo.content.read'] },
  'gated-repos': { description: 'Read the files of gated repositories that you have access to', gated: true },
  'contribute-repos': { description: NOTHING_HERE },
  'write-repos': { description: 'Read and change your repositories', scoped: CHANGES },
  'manage-repos': { description: 'Create, change and delete your repositories', scoped: CHANGES },
  'read-collections': { description: 'Read your private collections', scoped: ['collection.read'] },
  'write-collections': {
    description: 'Read and change your collections',
    scoped: ['collection.read', 'collection.write'],
  },
  'inference-api': { description: NOTHING_HERE },
  'read-endpoints': { description: NOTHING_HERE },
  'write-endpoints': { description: NOTHING_HERE },
  jobs: { description: 'Run jobs and read their logs', scoped: ['job.read', 'job.write'] },
  webhooks: { description: 'Manage your webhooks', scoped: ['user.webhooks.read', 'user.webhooks.write'] },
  'write-discussions': { description: 'Write in discussions in your name', global: ['discussion.write'] },
  notifications: {
    description: 'Read your notifications, and mark them as read and done',
    scoped: ['user.notifications.read', 'user.notifications.write'],
  },
  settings: {
    description: 'Change your settings, and create access tokens that may do no more than this application',
    scoped: ['user.settings.read', 'user.settings.write'],
  },
  'manage-orgs': {
    description: 'Administer the organizations that you pick, as far as you are allowed to',
    scoped: ['org.read', 'org.write', 'resourceGroup.read', 'resourceGroup.write'],
  },
};

const isScope = (word: string): word is OauthScope => OauthScope.safeParse(word).success;

/** Parses scopes separated by blanks; returns the first unknown word instead if there is one. */
export function parseScopes(text: string): readonly OauthScope[] | { readonly unknown: string } {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))];
  const unknown = words.find((word) => !isScope(word));
  return unknown === undefined ? words.filter(isScope) : { unknown };
}

/** Returns the scopes to display; scopes without permissions on this hub are omitted. */
export const shownScopes = (scopes: readonly GrantedScope[]) =>
  GRANTED_SCOPES.filter((name) => scopes.includes(name) && MEANINGS[name].description !== NOTHING_HERE).map((name) => ({
    name,
    description: MEANINGS[name].description,
  }));

interface NamedAccount {
  readonly id: string;
  readonly name: string;
}

/** Returns the permissions that scopes give on the user's own resources and on those of the chosen organizations. */
export function permissionsOf(
  scopes: readonly GrantedScope[],
  user: NamedAccount,
  organizations: readonly NamedAccount[],
): FineGrained {
  const words = (kind: 'scoped' | 'global') => [...new Set(scopes.flatMap((scope) => MEANINGS[scope][kind] ?? []))];
  const permissions = words('scoped');
  const entities = [
    { _id: user.id, type: 'user' as const, name: user.name },
    ...organizations.map(({ id, name }) => ({ _id: id, type: 'org' as const, name })),
  ];
  return {
    scoped: permissions.length === 0 ? [] : entities.map((entity) => ({ entity, permissions })),
    global: words('global'),
    ...(scopes.some((scope) => MEANINGS[scope].gated) && { canReadGatedRepos: true }),
  };
}
