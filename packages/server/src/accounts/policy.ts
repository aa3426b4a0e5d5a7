/** Names that conflict with paths of the hub or its console. */
const RESERVED = new Set([
  'api',
  'docs',
  'settings',
  'datasets',
  'spaces',
  'models',
  'kernels',
  'buckets',
  'collections',
  'repositories',
  'me',
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
  'oauth',
  'admin-console',
  'users',
  'new',
  'search',
  'notifications',
  'static',
  'well-known',
  'unsubscribe',
  'zero-gpu',
]);

/**
 * Returns what is wrong with the name of an account; undefined if it is valid. W§6.8: 2 to 42 letters, digits and
 * single inner dashes, not all digits, not 24 hexadecimal characters.
 */
export function accountNameFault(name: string): string | undefined {
  if (!/^[a-zA-Z0-9](?:[a-zA-Z0-9]|-(?!-)(?!$)){1,41}$/.test(name))
    return 'must be 2 to 42 letters, digits and single dashes inside';
  if (/^\d+$/.test(name)) return 'must not be digits only';
  if (/^[0-9a-f]{24}$/i.test(name)) return 'must not look like an object id';
  if (RESERVED.has(name.toLowerCase())) return 'is reserved';
  return undefined;
}

/** Returns the form in which names are compared. */
export const nameKey = (name: string): string => name.toLowerCase();

/** Returns the key of a deleted organization's name: in capitals, so that look-ups by name no longer find it. */
export const deletedKey = (name: string): string => `DELETED ${nameKey(name)}`;
