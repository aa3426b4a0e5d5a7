import * as z from 'zod';

/** Object id: exactly 24 lower-case hexadecimal characters (specification, Conventions). */
export const ObjectId = z
  .string()
  .length(24)
  .regex(/^[0-9a-f]{24}$/)
  .meta({ description: 'Object id: 24 lower-case hexadecimal characters.' });

/** ISO 8601 UTC date-time with seconds, optional fraction and `Z`; no other offset (specification, Conventions). */
export const Timestamp = z.iso.datetime().meta({ description: 'UTC date-time, such as 2026-01-31T12:00:00.000Z.' });

/** An e-mail address; RFC 5321 (4.5.3.1) limits the length of the part before the `@` and of the whole. */
export const EmailAddress = z
  .email()
  .refine((address) => address.length <= 254 && address.indexOf('@') <= 64, 'must be an e-mail address');

export const REPO_TYPES = ['dataset', 'model', 'space', 'bucket', 'kernel'] as const;

/** Repo type of the specification. */
export const RepoType = z.enum(REPO_TYPES);
export type RepoType = z.infer<typeof RepoType>;

/** Plural forms, as used in paths: `/api/models/…`. */
export const REPO_TYPE_SEGMENTS = ['models', 'datasets', 'spaces', 'buckets', 'kernels'] as const;
export const RepoTypeSegment = z.enum(REPO_TYPE_SEGMENTS).meta({ description: 'Repo type, in the plural.' });
export type RepoTypeSegment = z.infer<typeof RepoTypeSegment>;

export const ROLES = ['admin', 'write', 'contributor', 'read', 'no_access'] as const;

/** One of the five built-in roles. */
export const BuiltInRole = z.enum(ROLES);
export type BuiltInRole = z.infer<typeof BuiltInRole>;

/** The name of a role: a built-in role or a custom role of the organization. */
export const Role = z.union([BuiltInRole, z.string().meta({ description: 'Custom role name' })]);
export type Role = z.infer<typeof Role>;

export const PLANS = ['free', 'team', 'enterprise', 'plus'] as const;

/** Plan of an organization, each including the ones before it. */
export const Plan = z.enum(PLANS);
export type Plan = z.infer<typeof Plan>;

/** Path parameters that name a repository. */
export const RepoParams = z.object({
  repoType: RepoTypeSegment,
  namespace: z.string().min(1),
  repo: z.string().min(1),
});

/** Names a repository by its full name and type; other fields are refused. */
export const RepoId = z
  .strictObject({ name: z.string().meta({ description: 'namespace/name' }), type: RepoType })
  .meta({ id: 'RepoId' });

/** A whole number in a query, written in decimal digits only: `""`, `0x10`, `1e3` and `1.0` are refused. */
export const queryInteger = (range: { min: number; max: number; default: number }) =>
  z
    .string()
    .regex(/^(0|[1-9]\d*)$/, 'must be a whole number in decimal digits')
    .transform(Number)
    .pipe(z.number().min(range.min).max(range.max))
    .default(range.default)
    .meta({ jsonSchema: { type: 'integer', minimum: range.min, maximum: range.max, default: range.default } });

/** A point in time in a query; parsed to epoch milliseconds. */
export const QueryTime = Timestamp.transform((text) => Date.parse(text));

/** Cursor and page size of the lists beyond the specification; the next page is in `Link: <…>; rel="next"`. */
export const Page = z.object({
  cursor: z.string().max(2048).optional().meta({ description: 'Start of the page, from the Link header.' }),
  limit: queryInteger({ min: 10, max: 1000, default: 100 }),
});

/** The response of operations without other results. */
export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' });

/** An empty object. */
export const Empty = z.object({});
