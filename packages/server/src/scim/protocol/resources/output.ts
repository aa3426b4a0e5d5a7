import { LIST_RESPONSE, type ListResponse, type ScimGroup, type ScimUser } from '@moonbase/contract/scim/shapes';
import { timestamp } from '../../../platform/clock.ts';
import { SCHEMA_OF } from './attributes.ts';
import type { JsonObject } from './json.ts';
import { versionOf } from './versions.ts';

/** A user as it is kept; null is no value. */
export interface UserRecord {
  readonly id: string;
  readonly externalId: string | null;
  readonly userName: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly formatted: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
  /** Whether the address came with a type: what comes without one goes out without one. */
  readonly emailType: 'work' | null;
  /** Null: nobody said, which is yes. */
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
  /** Ids of users; undefined where they were not asked for. */
  readonly members: readonly string[] | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface Place {
  /** Where the tree begins: `https://hub/api/organizations/acme/scim/v2`. */
  readonly baseUrl: string;
}

/** What a PATCH is applied to: the values that are kept, and no others. */
export function keptUser(user: UserRecord): JsonObject {
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

/** A user on the wire (W§6.8): names that nobody gave are made from the others. */
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

/** RFC 7644, 3.4.2. */
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

/** `version` is also the header ETag. */
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
