import * as z from 'zod';
import { parseCidr } from '../platform/outbound/address-guard.ts';

/* Schemas that several settings share. */

export const text = z.string().trim().min(1, 'must not be blank');

export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1');

export function wholeNumber(max: number, min = 0) {
  const form = `must be a whole number from ${min} to ${max}, without a unit`;
  return text
    .regex(/^\d{1,10}$/, form)
    .transform(Number)
    .pipe(z.number().min(min, form).max(max, form));
}

/** A number with at most three decimals. */
export function decimal(max: number, min = 0) {
  const form = `must be a number from ${min} to ${max} with at most three decimals, without a unit`;
  return text
    .regex(/^\d{1,10}(\.\d{1,3})?$/, form)
    .transform(Number)
    .pipe(z.number().min(min, form).max(max, form));
}

/** Addresses and ranges, separated by commas. */
export const cidrs = text
  .transform((value) => value.split(',').map((part) => part.trim()))
  .superRefine((list, context) => {
    for (const cidr of list) {
      try {
        parseCidr(cidr);
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is no CIDR' });
      }
    }
  });

/** Some of the given words, separated by commas. */
export const someOf = <const Word extends string>(words: readonly Word[]) =>
  text
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(words, `must be some of ${words.join(', ')}, separated by commas`)));

/** Makes a schema optional; the transform keeps the key in the output, possibly as `undefined`. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().transform((value) => value);
