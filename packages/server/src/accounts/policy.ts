/** Names that paths of the hub and of its console need (behaviour: reserved names). */
const RESERVED = new Set([
  'api',
  'docs',
  'settings',
  'datasets',
  'spaces',
  'models',
  'kernels',
  'buckets',
  'papers',
  'posts',
  'blog',
  'organizations',
  'hardware',
  'health',
  'ready',
  'metrics',
  'avatars',
  'assets',
  'inbox',
  'webhooks',
  'jobs',
  'login',
  'join',
  'admin-console',
  'users',
  'new',
  'search',
  'notifications',
  'static',
  'well-known',
  'unsubscribe',
]);

/**
 * What is wrong with the name of a user or organization, or undefined. W§6.8: 2 to 42 letters, digits and single
 * dashes inside, not all digits, not 24 hexadecimal characters.
 */
export function accountNameFault(name: string): string | undefined {
  if (!/^[a-zA-Z0-9](?:[a-zA-Z0-9]|-(?!-)(?!$)){1,41}$/.test(name))
    return 'must be 2 to 42 letters, digits and single dashes inside';
  if (/^\d+$/.test(name)) return 'must not be digits only';
  if (/^[0-9a-f]{24}$/i.test(name)) return 'must not look like an object id';
  if (RESERVED.has(name.toLowerCase())) return 'is reserved';
  return undefined;
}

/** The form in which names are compared. */
export const nameKey = (name: string): string => name.toLowerCase();

/** The same of an organization that has been deleted: with capitals, so that no name leads to it any more. */
export const deletedKey = (name: string): string => `DELETED ${nameKey(name)}`;
