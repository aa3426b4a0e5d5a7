import type { PasswordHashing } from '../src/sign-in/index.ts';

/** Does not hash passwords, for tests of other subjects that send thousands of them. */
export const plainHashing: PasswordHashing = {
  hash: async (password) => `plain ${password}`,
  matches: async (stored, password) => stored === `plain ${password}`,
  close: async () => {},
};
