import { LIST_RESPONSE, type ListResponse, type ScimGroup, type ScimUser } from '@moonbase/contract/scim/shapes';
import { timestamp } from '../../../platform/clock.ts';
import { SCHEMA_OF } from './attributes.ts';
import type { JsonObject } from './json.ts';
import { versionOf } from './versions.ts';

/** A stored user; null means no value. */
export interface UserRecord {
  readonly id: string;
  readonly externalId: string | null;
  readonly userName: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly formatted: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
  /** The type of the address as the provider sent it; null if it sent none. */
  readonly emailType: 'work' | null;
  /** Null: not stated, which means true. */
  readonly emailPrimary: boolean | null;
  readonly active: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface GroupRecord {
  readonly id: string;
  readonly externalId: string | null;
  readonly displayName: string;
  /** User ids; undefined if they were not requested. */
  readonly members: readonly string[] | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface Place {
  /** The base URL of the API: `https://hub/api/organizations/acme/scim/v2`. */
  readonly baseUrl: string;
}

/** Returns the stored values of a user, to which a PATCH is applied. */
export function storedUser(user: UserRecord): JsonObject {
  const name = withoutNull({ formatted: user.formatted, familyName: user.familyName, givenName: user.givenName });
  return withoutNull({
    id: user.id,
    externalId: user.externalId,
    userName: user.userName,
    displayName: user.displayName,
    name: Object.keys(name).length > 0 ? name : null,
    emails: user.email === null ? null : emailsOf(user.email, user),
    active: user.active,
  });
}

/** Presents a user (W§6.8); missing names are derived from the others. */
export function presentUser(user: UserRecord, { baseUrl }: Place): ScimUser {
  const { givenName, familyName } = user;
  const formatted =
    user.formatted ?? ([givenName, familyName].filter(Boolean).join(' ') || user.displayName || user.userName);
  return withMeta('User', user, `${baseUrl}/Users/${user.id}`, {
    schemas: [SCHEMA_OF.User],
    id: user.id,
    externalId: user.externalId,
    userName: user.userName,
    displayName: user.displayName ?? formatted,
    name: { formatted, familyName: familyName ?? '', givenName: givenName ?? formatted },
    emails: user.email === null ? [] : emailsOf(user.email, user),
    active: user.active,
  });
}

export function presentGroup(group: GroupRecord, { baseUrl }: Place): ScimGroup {
  return withMeta('Group', group, `${baseUrl}/Groups/${group.id}`, {
    schemas: [SCHEMA_OF.Group],
    id: group.id,
    externalId: group.externalId,
    displayName: group.displayName,
    ...(group.members && { members: group.members.map((value) => ({ value, $ref: `${baseUrl}/Users/${value}` })) }),
  });
}

/** Returns a list response (RFC 7644, 3.4.2). */
export const listResponse = <T>(
  resources: readonly T[],
  { totalResults, startIndex }: { readonly totalResults: number; readonly startIndex: number },
): ListResponse<T> => ({
  schemas: [LIST_RESPONSE],
  totalResults,
  itemsPerPage: resources.length,
  startIndex,
  Resources: [...resources],
});

const emailsOf = (value: string, { emailType: type, emailPrimary }: UserRecord) => [
  { value, ...(type && { type }), primary: emailPrimary ?? true },
];

/** Adds `meta`; its `version` is also the ETag header. */
function withMeta<Type extends string, Resource extends object>(
  resourceType: Type,
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
  location: string,
  resource: Resource,
) {
  const times = { created: timestamp(createdAt), lastModified: timestamp(updatedAt) };
  const version = versionOf({ ...resource, ...times });
  return { ...resource, meta: { resourceType, ...times, location, version } };
}

const withoutNull = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
