import type { Account } from '../../accounts/index.ts';
import { badRequest } from '../../platform/http/errors.ts';
import type { PasswordHashing } from './hashing.ts';
import { passwordFault } from './policy.ts';

export type Passwords = ReturnType<typeof createPasswords>;

/** The rules for new passwords, and their hashing. `min` is the minimum number of characters. */
export function createPasswords({ min, hashing }: { readonly min: number; readonly hashing: PasswordHashing }) {
  return {
    min,
    hash: hashing.hash,
    matches: hashing.matches,

    /** Throws 400 if a user must not have this password. */
    check(password: string, user: Pick<Account, 'name' | 'fullname' | 'email'>): void {
      const personal = [user.name, user.fullname, ...(user.email === null ? [] : [user.email])];
      const fault = passwordFault(password, { min, personal });
      if (fault) throw badRequest(`body.password: ${fault}`);
    },
  };
}
