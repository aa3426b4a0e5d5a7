import type { PasswordHashing } from '../src/sign-in/index.ts';

/** Hashes nothing: for tests that are about something else and send thousands of passwords. */
export const plainHashing: PasswordHashing = {
  hash: async (password) => `plain ${password}`,
  matches: async (stored, password) => stored === `plain ${password}`,
};
