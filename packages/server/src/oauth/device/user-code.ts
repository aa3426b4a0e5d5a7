import { randomInt } from 'node:crypto';
import { sha256 } from '../../platform/secrets.ts';

/** Consonants, so that codes are no words, none of which is read as another. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Returns a code for a person to type: 2^34 of them are as likely. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** Returns a code as people read it: `ABCD-EFGH`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Returns the key of a code as a person typed it, with or without a dash, in either case. */
export const userCodeHash = (typed: string): string => sha256(typed.toUpperCase().replaceAll(/[^A-Z]/g, ''));
