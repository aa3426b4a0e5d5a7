import type { SealedAt } from '../../platform/secrets.ts';

/** Returns the location to which the secret of a factor is sealed. */
export const secretAt = (id: string): SealedAt => ({ table: 'second_factors', column: 'sealed', id });
