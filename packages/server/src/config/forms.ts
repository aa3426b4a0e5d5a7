import { z } from 'zod';
import { parseCidr } from '../platform/outbound/address-guard.ts';

/* The forms that the texts of several settings have. */

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

/** A form that a setting need not have. The transform makes the field one that is always there, if only as `undefined`. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().transform((value) => value);
