import type { Claims } from '../providers/openid.ts';
import type { ClaimNames } from '../providers/provider.ts';

/** A person, as a provider describes one. */
export interface Person {
  /** The value of the configured subject claim, by which the hub knows the person. */
  readonly subject: string;
  /** The claims that identify the person and the session in the provider's logout tokens. */
  readonly sub: string;
  readonly sid: string | undefined;
  readonly userName: string | undefined;
  readonly fullname: string | undefined;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  /** The Google Workspace domain of the person. */
  readonly hostedDomain: string | undefined;
  /** Undefined if the provider does not say, which differs from an empty list. */
  readonly groups: readonly string[] | undefined;
  /** When the person proved their identity to the provider, in epoch milliseconds. */
  readonly authenticatedAt: number | undefined;
}

const MAX_SUBJECT = 255;
const MAX_TEXT = 320;
const MAX_GROUPS = 5_000;

/** Returns the value of a claim; dots lead into objects if no claim has the full name. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

function textAt(claims: Claims, name: string, max = MAX_TEXT): string | undefined {
  const value = claimAt(claims, name);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || text.length > max || /\p{Cc}/u.test(text) ? undefined : text;
}

/**
 * Returns the groups of a person; undefined if the claim is missing. Entra ID omits the claim for people in more than
 * 200 groups and names an endpoint instead.
 */
function groupsIn(claims: Claims, name: string): string[] | undefined {
  const elsewhere = claims._claim_names;
  if (claims.hasgroups === true || claims.hasgroups === 'true') return undefined;
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)) return undefined;
  const value = claimAt(claims, name);
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) return undefined;
  return list
    .filter((group) => typeof group === 'string')
    .slice(0, MAX_GROUPS)
    .map(plainGroup);
}

/** Returns the name of a group without the leading slash, since Keycloak names groups by path. */
export const plainGroup = (group: string): string => group.trim().replace(/^\//, '');

/** Returns the person that claims describe; undefined if they identify nobody. */
export function personIn(claims: Claims, names: ClaimNames): Person | undefined {
  const subject = textAt(claims, names.subject, MAX_SUBJECT);
  const { sub, sid, auth_time: authTime, email_verified: verified } = claims;
  if (subject === undefined || typeof sub !== 'string') return undefined;
  const email = textAt(claims, 'email');
  return {
    ...{ subject, sub, sid: typeof sid === 'string' ? sid : undefined },
    userName: textAt(claims, names.username),
    fullname: textAt(claims, 'name', 100),
    email: email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined,
    isEmailVerified: verified === true,
    hostedDomain: textAt(claims, 'hd'),
    groups: groupsIn(claims, names.groups),
    authenticatedAt: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime * 1000 : undefined,
  };
}
