import type { z } from 'zod';

/** Returns stored data as its schema has it. Throws an error that says `what` it is and where it differs, without its values. */
export function readStored<Data>(schema: z.ZodType<Data>, stored: unknown, what: string): Data {
  const result = schema.safeParse(stored);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`);
  throw new Error(`${what} has a form that is not known: ${faults.join('; ')}`);
}
