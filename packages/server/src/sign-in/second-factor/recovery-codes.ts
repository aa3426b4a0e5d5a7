import { randomBytes } from 'node:crypto';
import { sha256 } from '../../platform/secrets.ts';
import { base32 } from './base32.ts';

const COUNT = 10;
/** 80 bits: enough that the hash of a code tells nothing. */
const BYTES = 10;

/** Returns new codes as people write them down: `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => {
    const text = base32(randomBytes(BYTES)).toLowerCase();
    return text.replaceAll(/(.{4})(?=.)/g, '$1-');
  });

/** Returns what is stored of a code of a user, however the code was typed. */
export const recoveryHash = (userId: string, typed: string): string =>
  sha256(`recovery ${userId} ${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
