import * as z from 'zod';
import { Empty, RepoParams } from '../primitives.ts';
import { defineRoute } from '../route.ts';

export const LFS_MEDIA_TYPE = 'application/vnd.git-lfs+json';

/** The body of error responses to git LFS requests. */
export const LfsError = z
  .object({ message: z.string(), request_id: z.string().optional(), documentation_url: z.string().optional() })
  .meta({ id: 'LfsError' });
export type LfsError = z.infer<typeof LfsError>;

const media = { type: LFS_MEDIA_TYPE, error: LfsError };

export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 lower-case hexadecimal characters')
  .meta({ description: 'SHA-256 in lower-case hexadecimal characters.' });

const LfsObject = z.object({ oid: Sha256, size: z.int().min(0) });

const Action = z.object({
  href: z.url(),
  header: z.record(z.string(), z.string()).optional().meta({
    description: 'For an upload in parts: `chunk_size` in bytes, and the URL of each part by its number.',
  }),
  expires_in: z.int().meta({ description: 'The number of seconds for which the URL is valid.' }),
});

const LfsBatch = z.object({
  operation: z.enum(['upload', 'download']),
  transfers: z.array(z.string().max(64)).max(16).default(['basic']),
  objects: z.array(LfsObject).min(1).max(1000),
  hash_algo: z.enum(['sha256', 'sha_256']).optional(),
  ref: z
    .object({ name: z.string().max(1024) })
    .nullable()
    .optional(),
});

const LfsBatchAnswer = z.object({
  transfer: z.enum(['basic', 'multipart', 'xet']),
  hash_algo: z.literal('sha256'),
  objects: z.array(
    LfsObject.extend({
      authenticated: z.literal(true).optional(),
      actions: z
        .object({ upload: Action.optional(), verify: Action.optional(), download: Action.optional() })
        .optional()
        .meta({ description: 'Absent if nothing is to be done, because the repository has the file.' }),
      error: z.object({ code: z.int(), message: z.string() }).optional(),
    }),
  ),
});

/** The parameters of the paths of models, which git-lfs derives from the URL of a clone. */
export const OfModel = RepoParams.omit({ repoType: true });
/** The parameters of paths with the type, which those of models may have, too. */
export const OfOthers = RepoParams.extend({
  repoType: z
    .enum(['models', 'datasets', 'spaces', 'kernels'])
    .meta({ description: 'The type of the repository, in the plural.' }),
});

const batch = {
  method: 'POST',
  tags: ['large-files'],
  description:
    'The batch call of git LFS. An upload needs no action if the repository has the file. Otherwise the bytes are sent to ' +
    'the URL by PUT, without further headers; with `multipart` among the transfers a large file is sent in parts. Where the hub ' +
    'sends files through Xet, `@huggingface/hub` is told to send them through it, too (`xet`): the URL is that of a token.',
  authority: 'repo.content.read',
  anonymous: true,
  body: LfsBatch,
  media,
  answers: { 200: LfsBatchAnswer },
  otherAnswers: {
    413: 'The quota of the owner of the repository, or of whoever may only propose the files, is exceeded.',
  },
} as const;

export const lfsBatch = defineRoute({
  ...batch,
  id: 'lfsBatch',
  summary: 'Get URLs to upload or download large files of a model',
  path: '/{namespace}/{repo}.git/info/lfs/objects/batch',
  params: OfModel,
});

export const lfsBatchOfType = defineRoute({
  ...batch,
  id: 'lfsBatchOfType',
  summary: 'Get URLs to upload or download large files of a dataset, Space or kernel',
  path: '/{repoType}/{namespace}/{repo}.git/info/lfs/objects/batch',
  params: OfOthers,
});

const verify = {
  method: 'POST',
  tags: ['large-files'],
  authority: 'repo.content.read',
  body: LfsObject,
  media,
  answers: { 200: Empty },
  otherAnswers: { 422: 'The file in the repository has another size.' },
} as const;

export const verifyLfsUpload = defineRoute({
  ...verify,
  id: 'verifyLfsUpload',
  summary: 'Check that a model has a large file',
  path: '/{namespace}/{repo}.git/info/lfs/objects/verify',
  params: OfModel,
});

export const verifyLfsUploadOfType = defineRoute({
  ...verify,
  id: 'verifyLfsUploadOfType',
  summary: 'Check that a dataset, Space or kernel has a large file',
  path: '/{repoType}/{namespace}/{repo}.git/info/lfs/objects/verify',
  params: OfOthers,
});

const Address = z.object({ address: z.string().min(1).max(1024) });

const WRONG = 'The address is not one that the hub gave for this, or has expired.';

export const putLargeFile = defineRoute({
  id: 'putLargeFile',
  client: { body: 'file' },
  method: 'PUT',
  path: '/api/large-files/{address}',
  summary: 'Upload a large file or a part of one',
  description: 'At a URL from a batch call, which needs no further credentials. The response has an ETag.',
  tags: ['large-files'],
  authority: 'public',
  params: Address,
  rawBody: {
    description: 'The bytes, exactly as many as announced.',
    types: ['application/octet-stream'],
    stream: true,
  },
  media,
  answers: { 200: Empty },
  otherAnswers: { 403: WRONG, 507: 'The storage of the hub is full.' },
});

export const completeLargeFile = defineRoute({
  id: 'completeLargeFile',
  method: 'POST',
  path: '/api/large-files/{address}',
  summary: 'Complete a large file from its parts',
  description: 'At a URL from a batch call, with the ETag of each part.',
  tags: ['large-files'],
  authority: 'public',
  params: Address,
  body: z.object({
    oid: Sha256,
    parts: z
      .array(z.object({ partNumber: z.int().min(1).max(10_000), etag: z.string().max(256) }))
      .min(1)
      .max(10_000),
  }),
  media,
  answers: { 200: Empty },
  otherAnswers: { 403: WRONG, 507: 'The storage of the hub is full.' },
});

export const getLargeFile = defineRoute({
  id: 'getLargeFile',
  method: 'GET',
  path: '/api/large-files/{address}',
  summary: 'Download a large file',
  description: 'At a URL from a batch call.',
  tags: ['large-files'],
  authority: 'public',
  params: Address,
  media,
  answers: {},
  otherAnswers: {
    200: 'The bytes.',
    206: 'The bytes of the range that was asked for.',
    302: 'Redirect to where the bytes are.',
    304: 'The file is the one named in `If-None-Match`.',
    403: WRONG,
    412: 'The file is not the one named in `If-Match`.',
    416: 'The range lies beyond the end of the file.',
  },
});

export const lfsRoutes = [
  lfsBatch,
  lfsBatchOfType,
  verifyLfsUpload,
  verifyLfsUploadOfType,
  putLargeFile,
  completeLargeFile,
  getLargeFile,
] as const;
