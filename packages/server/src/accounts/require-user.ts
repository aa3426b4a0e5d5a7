import { notFound } from '../platform/http/errors.ts';
import type { Account } from './store.ts';

/** Returns the account found under a name. Throws 404 if there is none, or if it is an organization. */
export function requireUser(found: Account | undefined, name: string): Account {
  if (found?.kind !== 'user') throw notFound(`There is no user named ${name}`);
  return found;
}
