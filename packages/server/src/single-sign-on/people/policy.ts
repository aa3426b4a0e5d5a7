import type { Rules } from '../providers/provider.ts';
import { type Person, plainGroup } from './claims.ts';

/** Returns whether a provider's rules let a person sign in. Missing claims count against the person. */
export function mayEnter(
  { groups, hostedDomain, email, isEmailVerified }: Person,
  { allowedDomains, allowedGroups }: Pick<Rules, 'allowedDomains' | 'allowedGroups'>,
): boolean {
  if (allowedGroups.length > 0 && !allowedGroups.some((group) => groups?.includes(plainGroup(group)))) return false;
  if (allowedDomains.length === 0) return true;
  const domain = hostedDomain ?? (isEmailVerified ? email?.replace(/^.*@/, '') : undefined);
  return domain !== undefined && allowedDomains.includes(domain.toLowerCase());
}
