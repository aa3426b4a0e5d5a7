import * as z from 'zod';
import { scimMedia } from './shapes.ts';

export type ScimApiName = 'scim' | 'scim-provisioning';

const number = (jsonSchema: object) =>
  z
    .string()
    .optional()
    .meta({ jsonSchema: { type: 'number', ...jsonSchema } });
export const Projected = z.object({
  attributes: z.string().optional().meta({ description: 'Comma-separated names of the only attributes to return.' }),
  excludedAttributes: z.string().optional().meta({ description: 'Comma-separated names of attributes to omit.' }),
});
export const ListQuery = Projected.extend({
  startIndex: number({ minimum: 1, default: 1 }),
  count: number({ minimum: 1, maximum: 1000, default: 1000 }),
  filter: z
    .string()
    .max(8192)
    .default('')
    .meta({ description: 'RFC 7644, 3.4.2.2, such as `userName eq "ada@example.com"`.' }),
});
/** RFC 7644, 3.4.3: the query of a list in a body, to keep it out of URLs. */
export const Search = z.object({
  schemas: z.array(z.string()).optional(),
  attributes: z.array(z.string()).optional(),
  excludedAttributes: z.array(z.string()).optional(),
  filter: z.string().max(8192).optional(),
  startIndex: z.number().optional(),
  count: z.number().optional(),
});
export const NoBody = z.unknown().meta({ description: 'No body.' });

export const ADMINS_ONLY =
  'For owners of the organization, with a token that may change the organization. Enterprise Plus plan.';
export const COMMON_FIELDS = { tags: ['scim'], authority: 'org.write', media: scimMedia } as const;
export const ERROR_ANSWERS = { 402: 'The organization needs the Enterprise Plus plan.' };
export const CHANGE_ERROR_ANSWERS = { ...ERROR_ANSWERS, 412: 'The header If-Match names another version.' };
