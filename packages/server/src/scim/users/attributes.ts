import type { Account } from '../../accounts/index.ts';
import { fold } from '../protocol/filter/filter.ts';
import type { UserInput } from '../protocol/resources/user-input.ts';
import type { ScimUserRow } from '../tables.ts';
import type { UserRow } from './user-list-store.ts';

type Attributes = Pick<
  ScimUserRow,
  | 'user_name'
  | 'user_name_key'
  | 'given_name'
  | 'family_name'
  | 'formatted'
  | 'display_name'
  | 'email'
  | 'email_key'
  | 'email_type'
  | 'email_primary'
>;

/** Returns the stored attributes of a provider's user. */
export const attributesOf = (input: UserInput): Attributes => ({
  user_name: input.userName,
  user_name_key: fold(input.userName),
  given_name: input.givenName ?? null,
  family_name: input.familyName ?? null,
  formatted: input.formatted ?? null,
  display_name: input.displayName ?? null,
  email: input.email ?? null,
  email_key: input.email === undefined ? null : fold(input.email),
  email_type: input.emailType ?? null,
  email_primary: input.emailPrimary === undefined ? null : Number(input.emailPrimary),
});

/** Returns the full name for a user's account. */
export const fullnameOf = ({ givenName, familyName, formatted, displayName, userName }: UserInput): string =>
  formatted ?? ([givenName, familyName].filter(Boolean).join(' ') || displayName || userName);

/** Returns the attributes of an account that SCIM did not create, as a provider would send them. */
export function inputFrom({ name, fullname, email }: Pick<Account, 'name' | 'fullname' | 'email'>): UserInput {
  const [givenName = fullname, ...rest] = fullname.split(' ');
  return {
    userName: name,
    externalId: null,
    givenName,
    ...(rest.length > 0 && { familyName: rest.join(' ') }),
    formatted: fullname,
    displayName: fullname,
    ...(email !== null && { email }),
    active: true,
  };
}

/** Returns a stored user as input; the values of an account created elsewhere may exceed what a provider can send. */
export const inputOf = (row: UserRow): UserInput => ({
  userName: row.userName,
  externalId: row.externalId,
  ...(row.givenName !== null && { givenName: row.givenName }),
  ...(row.familyName !== null && { familyName: row.familyName }),
  ...(row.formatted !== null && { formatted: row.formatted }),
  ...(row.displayName !== null && { displayName: row.displayName }),
  ...(row.email !== null && { email: row.email }),
  ...(row.emailType !== null && { emailType: row.emailType }),
  ...(row.emailPrimary !== null && { emailPrimary: row.emailPrimary === 1 }),
  active: row.active === 1,
});

/** Returns the names of the attributes in which a user differs from the wanted state. */
export function differences(user: UserRow, input: UserInput): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['userName', user.userName, input.userName],
    ['externalId', user.externalId, input.externalId],
    ['name.givenName', user.givenName, input.givenName ?? null],
    ['name.familyName', user.familyName, input.familyName ?? null],
    ['name.formatted', user.formatted, input.formatted ?? null],
    ['displayName', user.displayName, input.displayName ?? null],
    ['emails', user.email, input.email ?? null],
    ['emails', user.emailType, input.emailType ?? null],
    ['emails', user.emailPrimary ?? 1, Number(input.emailPrimary ?? true)],
  ];
  return [...new Set(pairs.flatMap(([name, before, after]) => (before === after ? [] : [name])))];
}
