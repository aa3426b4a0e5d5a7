import type { JobRow } from '../tables.ts';

/** Names an attempt to its runner, now and after a restart of the hub. */
export const attemptKey = ({ id, attempt }: Pick<JobRow, 'id' | 'attempt'>): string => `${id}-${attempt}`;
