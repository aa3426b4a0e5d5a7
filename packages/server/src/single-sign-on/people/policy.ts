import type { Rules } from '../providers/provider.ts';
import { type Person, plainGroup } from './claims.ts';

/** Whether a provider's rules let a person sign in. What the provider does not say counts against the person. */
export function mayEnter(
  { groups, hostedDomain, email, isEmailVerified }: Person,
  { allowedDomains, allowedGroups }: Pick<Rules, 'allowedDomains' | 'allowedGroups'>,
): boolean {
  if (allowedGroups.length > 0 && !allowedGroups.some((group) => groups?.includes(plainGroup(group)))) return false;
  if (allowedDomains.length === 0) return true;
  const domain = hostedDomain ?? (isEmailVerified ? email?.replace(/^.*@/, '') : undefined);
  return domain !== undefined && allowedDomains.includes(domain.toLowerCase());
}
