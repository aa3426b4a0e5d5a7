import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Creates the next object id: 24 lower-case hexadecimal characters. */
export type Ids = () => string;

/** Returns the smallest id of rows created at a time or later, which turns a time into a range of the primary key. */
export const firstIdAt = (epochMs: number): string =>
  Math.min(Math.max(Math.floor(epochMs / 1000), 0), 0xffffffff)
    .toString(16)
    .padStart(8, '0')
    .padEnd(24, '0');

/**
 * Creates ids in the form of a BSON ObjectId: 4 bytes of seconds, 5 random bytes per process, a counter of 3 bytes.
 * They sort by creation second and, within one process, by order of creation.
 */
export function createIds(clock: Clock, random: Buffer = randomBytes(8)): Ids {
  const processPart = random.subarray(0, 5).toString('hex');
  let counter = random.readUIntBE(5, 3) & 0x7fffff;
  return () => {
    counter = (counter + 1) & 0xffffff;
    const seconds = Math.floor(clock.now() / 1000);
    return seconds.toString(16).padStart(8, '0') + processPart + counter.toString(16).padStart(6, '0');
  };
}
