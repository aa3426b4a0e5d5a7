import { EmailAddress } from '@moonbase/contract/primitives';
import { scimError } from '../errors.ts';
import { booleanOf, isObject, type JsonObject, propertyOf, textOf } from './json.ts';

/** A user as a provider describes it; absent keys have no value. */
export interface UserInput {
  readonly userName: string;
  readonly externalId: string | null;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly formatted?: string;
  readonly displayName?: string;
  readonly email?: string;
  /** `work`, whatever type was sent. */
  readonly emailType?: 'work';
  readonly emailPrimary?: boolean;
  readonly active: boolean;
}

/** Reads the body of POST and PUT, or the result of a PATCH. Unknown attributes are ignored (RFC 7644, 3.3). */
export function readUser(body: unknown): UserInput {
  if (!isObject(body)) throw scimError(400, 'The body must be an object', 'invalidSyntax');
  const userName = textOf(propertyOf(body, 'userName'), 'userName');
  if (userName === undefined) throw scimError(400, 'userName must have a value', 'invalidValue');
  const name = nameOf(propertyOf(body, 'name'));
  const active = propertyOf(body, 'active');
  return {
    userName,
    externalId: textOf(propertyOf(body, 'externalId'), 'externalId') ?? null,
    ...present({
      givenName: textOf(propertyOf(name, 'givenName'), 'name.givenName'),
      familyName: textOf(propertyOf(name, 'familyName'), 'name.familyName'),
      formatted: textOf(propertyOf(name, 'formatted'), 'name.formatted'),
      displayName: textOf(propertyOf(body, 'displayName'), 'displayName'),
    }),
    ...emailOf(propertyOf(body, 'emails')),
    active: active === undefined || booleanOf(active, 'active'),
  };
}

function nameOf(value: unknown): JsonObject {
  const single = Array.isArray(value) && value.length <= 1 ? value[0] : value;
  if (single === undefined || single === null) return {};
  if (!isObject(single)) throw scimError(400, 'name must be an object', 'invalidValue');
  return single;
}

/** Selects the single address of a user: the primary one, else the first of type work, else the first. */
function emailOf(value: unknown): Pick<UserInput, 'email' | 'emailType' | 'emailPrimary'> {
  const given = (value === undefined || value === null ? [] : [value].flat()).map((each) =>
    isObject(each) ? each : { value: each },
  );
  const chosen =
    given.find((each) => propertyOf(each, 'primary') !== undefined && isTrue(propertyOf(each, 'primary'))) ??
    given.find((each) => isForWork(propertyOf(each, 'type') ?? 'work')) ??
    given[0];
  const email = chosen && textOf(propertyOf(chosen, 'value'), 'emails.value');
  if (email === undefined) return {};
  if (!EmailAddress.safeParse(email).success)
    throw scimError(400, 'emails.value must be an e-mail address', 'invalidValue');
  const typed = chosen && (propertyOf(chosen, 'type') ?? null) !== null;
  const primary = chosen && propertyOf(chosen, 'primary');
  return {
    email,
    ...(typed && { emailType: 'work' as const }),
    ...(primary !== undefined && { emailPrimary: isTrue(primary) }),
  };
}

const isForWork = (type: unknown): boolean => typeof type === 'string' && type.toLowerCase() === 'work';
const isTrue = (value: unknown): boolean => value !== null && booleanOf(value, 'emails.primary');

const present = <T extends Record<string, string | undefined>>(values: T) =>
  // Object.fromEntries loses the names of the keys.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: string;
  };
