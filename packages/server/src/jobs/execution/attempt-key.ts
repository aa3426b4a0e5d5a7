import type { JobRow } from '../tables.ts';

/** Returns the key by which a runner identifies an attempt, even after a restart of the hub. */
export const attemptKey = ({ id, attempt }: Pick<JobRow, 'id' | 'attempt'>): string => `${id}-${attempt}`;
