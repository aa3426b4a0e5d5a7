import { z } from 'zod';
import { parseCidr } from '../platform/outbound/address-guard.ts';

/* Schemas that several settings share. */

export const text = z.string().trim().min(1);

export const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');

export const wholeNumber = (max: number, min = 0) =>
  text
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

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
