import { randomInt } from 'node:crypto';
import { sha256 } from '../../platform/secrets.ts';

/** Consonants only, so that codes form no words; none looks like another. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Returns a user code, one of about 2^34. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** Returns a user code in the form for display: `ABCD-EFGH`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Returns the hash by which a typed user code is found; dashes and letter case do not matter. */
export const userCodeHash = (typed: string): string => sha256(typed.toUpperCase().replaceAll(/[^A-Z]/g, ''));
