import * as z from 'zod';

/** Codes of the header `X-Error-Code` for clients: those of the public hub (W§2.2), then those of this one. */
export const ERROR_CODES = [
  'RepoNotFound',
  'RevisionNotFound',
  'EntryNotFound',
  'GatedRepo',
  'NotImplemented',
  'RecentSignInNeeded',
  'SignInExpired',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Every response with a status of 400 and above. `error` is one sentence for people. */
export const ErrorBody = z
  .object({
    error: z.string(),
    issues: z
      .array(
        z.object({
          path: z.string().meta({ description: 'Path of the error, such as `body.watched.0.name`.' }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'All errors of an invalid request, each with its path.' }),
    url: z.string().optional().meta({ description: 'URL of the existing thing (409).' }),
    id: z.string().optional().meta({ description: 'Id of the existing thing (409).' }),
    slug: z.string().optional().meta({ description: 'Slug of the existing collection (409).' }),
    error_description: z
      .string()
      .optional()
      .meta({ description: 'The sentence, if `error` is an OAuth 2.0 code such as `authorization_pending`.' }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;
