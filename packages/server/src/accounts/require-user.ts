import { conflict, notFound } from '../platform/http/errors.ts';
import type { Account } from './store.ts';

/** Returns the account found under a name. Throws 404 if there is none, or if it is an organization. */
export function requireUser(found: Account | undefined, name: string): Account {
  if (found?.kind !== 'user') throw notFound(`There is no user named ${name}`);
  return found;
}

/** Like `requireUser`, and throws 409 for a disabled user. */
export function requireEnabledUser(found: Account | undefined, name: string): Account {
  const user = requireUser(found, name);
  if (user.disabled_at !== null) throw conflict(`${user.name} is disabled; enable the user first`);
  return user;
}
