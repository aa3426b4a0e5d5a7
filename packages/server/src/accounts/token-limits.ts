import type { FineGrained, TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Principal } from '../platform/http/authenticate.ts';

/** What a `read` permission follows from. */
const FOLLOWS: Readonly<Record<string, string>> = {
  'user.webhooks.read': 'user.webhooks.write',
  'user.settings.read': 'user.settings.write',
  'org.read': 'org.write',
  'repo.content.read': 'repo.write',
  'user.notifications.read': 'user.notifications.write',
  'resourceGroup.read': 'resourceGroup.write',
  'job.read': 'job.write',
};

/** What opens private things where it stands on them, and nowhere by standing on everything. */
const OPENING: ReadonlySet<string> = new Set(['repo.content.read', 'repo.write']);

/** The part of a new token that its maker's token does not cover, or undefined: no token makes one that may do more. */
export function exceeding(
  own: Principal['token'],
  given: { readonly role: TokenRole; readonly fineGrained?: FineGrained | undefined },
): string | undefined {
  if (own.role === 'write') return undefined;
  if (given.role !== 'fineGrained') return 'role';
  const everywhere = new Set(own.fineGrained?.global);
  const grants = (granted: ReadonlySet<string>, word: string) =>
    granted.has(word) || granted.has(FOLLOWS[word] ?? word);
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
