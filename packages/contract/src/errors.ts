import { z } from 'zod';

/** Codes of the header `X-Error-Code` that clients act upon (W§2.2). */
export const ERROR_CODES = ['RepoNotFound', 'RevisionNotFound', 'EntryNotFound', 'GatedRepo'] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Every answer with a status of 400 and above. `error` is one sentence for a person. */
export const ErrorBody = z
  .object({
    error: z.string(),
    issues: z
      .array(z.object({ path: z.string().meta({ description: 'Where: `body.watched.0.name`.' }), message: z.string() }))
      .optional()
      .meta({ description: 'Each fault of an invalid request, with its place.' }),
    url: z.string().optional().meta({ description: 'Of the thing that exists already (409).' }),
    id: z.string().optional().meta({ description: 'Of the thing that exists already (409).' }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;
