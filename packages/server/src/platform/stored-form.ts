import type { z } from 'zod';

/** The JSON text of a `Value`: the type of a column that stores one. */
export type JsonText<Value> = string & { readonly of?: Value };

export const toJson = <Value>(value: Value): JsonText<Value> => JSON.stringify(value);

/**
 * Parses a text that the hub itself has written, as its declared type says. Texts of older releases or of other origin
 * are parsed by `readStored`.
 */
// JSON.parse returns any; the declared type of the column tells the real one.
export const parseJson = <Value>(text: JsonText<Value>): Value => JSON.parse(text) as Value;

/**
 * Parses stored data by a schema. Throws an error that names the data (`what`) and the faulty paths, without values.
 */
export function readStored<Data>(schema: z.ZodType<Data>, stored: unknown, what: string): Data {
  const result = schema.safeParse(stored);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`);
  throw new Error(`${what} has a form that is not known: ${faults.join('; ')}`);
}
