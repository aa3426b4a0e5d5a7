import type { Account } from '../../accounts/index.ts';
import { badRequest } from '../../platform/http/errors.ts';
import type { PasswordHashing } from './hashing.ts';
import { passwordFault } from './policy.ts';

export type Passwords = ReturnType<typeof createPasswords>;

/** What new passwords must be like, and how they are hashed. `min` is the fewest characters. */
export function createPasswords({ min, hashing }: { readonly min: number; readonly hashing: PasswordHashing }) {
  return {
    min,
    hash: hashing.hash,
    matches: hashing.matches,

    /** Throws 400 where a user must not have this password. */
    check(password: string, user: Pick<Account, 'name' | 'fullname' | 'email'>): void {
      const personal = [user.name, user.fullname, ...(user.email === null ? [] : [user.email])];
      const fault = passwordFault(password, { min, personal });
      if (fault) throw badRequest(`body.password: ${fault}`);
    },
  };
}
