import type { FineGrained, TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Principal } from '../platform/http/authenticate.ts';

/** Permissions that a token also has because it has another: `write` implies `read`. */
const FOLLOWS: Readonly<Record<string, string>> = {
  'user.webhooks.read': 'user.webhooks.write',
  'user.settings.read': 'user.settings.write',
  'org.read': 'org.write',
  'repo.content.read': 'repo.write',
  'collection.read': 'collection.write',
  'user.notifications.read': 'user.notifications.write',
  'resourceGroup.read': 'resourceGroup.write',
  'job.read': 'job.write',
};

/** Permissions that must be granted on a specific entity; as global permissions they do not open private objects. */
const OPENING: ReadonlySet<string> = new Set([
  'repo.content.read',
  'repo.write',
  'collection.read',
  'collection.write',
]);

/** Returns the part of a new token that exceeds its maker's token, if any: no token may create a more powerful one. */
export function exceedingPart(
  own: Principal['token'],
  given: {
    readonly role: TokenRole;
    readonly fineGrained?: FineGrained | undefined;
    readonly expiresAt?: number | undefined;
  },
): string | undefined {
  if (own.expiresAt !== undefined && (given.expiresAt ?? Number.POSITIVE_INFINITY) > own.expiresAt) return 'expiresAt';
  if (own.role === 'write') return undefined;
  if (given.role !== 'fineGrained') return 'role';
  const everywhere = new Set(own.fineGrained?.global);
  const grants = (granted: ReadonlySet<string>, word: string) =>
    granted.has(word) || granted.has(FOLLOWS[word] ?? word);
  if (given.fineGrained?.canReadGatedRepos && !own.fineGrained?.canReadGatedRepos && own.role === 'fineGrained')
    return 'fineGrained.canReadGatedRepos';
  const global = given.fineGrained?.global?.findIndex((word) => !grants(everywhere, word)) ?? -1;
  if (global >= 0) return `fineGrained.global.${global}`;
  for (const [at, { entity, permissions }] of given.fineGrained?.scoped.entries() ?? []) {
    const here = (own.fineGrained?.scoped ?? []).filter((scope) => scope.entity._id === entity._id);
    const granted = new Set([
      ...[...everywhere].filter((word) => !OPENING.has(word)),
      ...here.flatMap((scope) => scope.permissions),
    ]);
    const word = permissions.findIndex((permission) => !grants(granted, permission));
    if (word >= 0) return `fineGrained.scoped.${at}.permissions.${word}`;
  }
  return undefined;
}
