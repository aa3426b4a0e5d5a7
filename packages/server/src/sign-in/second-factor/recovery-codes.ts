import { randomBytes } from 'node:crypto';
import { sha256 } from '../../platform/secrets.ts';
import { base32 } from './base32.ts';

const CODES = 10;
/** 80 random bits, so that a hash does not reveal its code. */
const BYTES_PER_CODE = 10;

/** Returns new codes in the form `abcd-efgh-ijkl-mnop`, for people to write down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const text = base32(randomBytes(BYTES_PER_CODE)).toLowerCase();
    return text.replaceAll(/(.{4})(?=.)/g, '$1-');
  });

/** Returns the stored hash of a user's code, however the code was typed. */
export const recoveryHash = (userId: string, typed: string): string =>
  sha256(`recovery ${userId} ${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
