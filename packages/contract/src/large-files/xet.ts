import * as z from 'zod';
import { AtRevision, Flag } from '../content/reading.ts';
import { Empty, ObjectId, RepoParams } from '../primitives.ts';
import { defineRoute } from '../route.ts';

export const tags = ['large-files'];

/** A hash of the Xet protocol, in the form of its URLs. */
export const XetHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a hash: 64 lower-case hexadecimal characters')
  .meta({ description: 'A hash in the form of the Xet protocol: 64 lower-case hexadecimal characters.' });

const XetToken = z
  .object({
    accessToken: z.string().meta({ description: 'The token for `casUrl`.' }),
    exp: z.int().meta({ description: 'When it expires, in seconds since 1970.' }),
    casUrl: z.url().meta({ description: 'The address below which files are sent.' }),
  })
  .meta({ id: 'XetToken' });

export const getXetWriteToken = defineRoute({
  id: 'getXetWriteToken',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/xet-write-token/{rev}',
  summary: 'Get a token to upload large files through Xet',
  description:
    'For an hour and this repository. The response has it in the headers `X-Xet-Access-Token`, `X-Xet-Token-Expiration` ' +
    'and `X-Xet-Cas-Url`, too. For a pull request, to a revision `refs/pr/N` or with `create_pr`, the permission ' +
    '`discussion.write` is enough. Needs an access token in `Authorization`.',
  tags,
  authority: 'repo.write',
  params: AtRevision,
  query: z.object({
    create_pr: Flag.optional().meta({ description: 'Whether it is for a pull request that does not exist yet.' }),
  }),
  answers: { 200: XetToken },
});

export const getXetReadToken = defineRoute({
  id: 'getXetReadToken',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/xet-read-token/{rev}',
  summary: 'Get a token to download large files through Xet',
  description:
    'Like `getXetWriteToken`, to read. Files are sent without Xet as well, and only so unless `MOONBASE_XET_READ` is `true`.',
  tags,
  authority: 'repo.content.read',
  anonymous: true,
  params: AtRevision,
  answers: { 200: XetToken },
});

const OfBucket = RepoParams.omit({ repoType: true });

export const getBucketXetWriteToken = defineRoute({
  id: 'getBucketXetWriteToken',
  method: 'GET',
  path: '/api/buckets/{namespace}/{repo}/xet-write-token',
  summary: 'Get a token to upload files to a bucket through Xet',
  description: 'Like `getXetWriteToken`. `changeBucketFiles` then gives the files their paths.',
  tags,
  authority: 'repo.write',
  params: OfBucket,
  answers: { 200: XetToken },
});

export const getBucketXetReadToken = defineRoute({
  id: 'getBucketXetReadToken',
  method: 'GET',
  path: '/api/buckets/{namespace}/{repo}/xet-read-token',
  summary: 'Get a token to download the files of a bucket through Xet',
  description:
    'Like `getXetReadToken`. The files of buckets can be downloaded so whatever the settings of the hub say.',
  tags,
  authority: 'repo.content.read',
  anonymous: true,
  params: OfBucket,
  answers: { 200: XetToken },
});

export const OfOwner = z.object({ owner: ObjectId.meta({ description: 'The id of the owner, from `casUrl`.' }) });

const TOKEN = 'Needs a token of `getXetWriteToken` or `getBucketXetWriteToken` as `Authorization: Bearer`.';
export const TOKEN_REFUSED = 'The token is not valid, has expired, or is for another address; request a new one.';
const otherAnswers = {
  401: TOKEN_REFUSED,
  403: 'The token is for reading, or its user may no longer write.',
  507: 'The storage of the hub is full.',
} as const;

export const uploadXorb = defineRoute({
  id: 'uploadXorb',
  method: 'POST',
  path: '/cas/{owner}/v1/xorbs/{prefix}/{hash}',
  summary: 'Upload chunks of large files',
  description: `A xorb of the Xet protocol: at most 8192 chunks and 64 MiB. The hub compares it with its hash. ${TOKEN}`,
  tags,
  authority: 'public',
  params: OfOwner.extend({ prefix: z.string().max(64), hash: XetHash }),
  rawBody: { description: 'The xorb.', types: ['application/octet-stream'], stream: true },
  answers: { 200: z.object({ was_inserted: z.boolean() }) },
  otherAnswers,
});

export const findXetChunk = defineRoute({
  id: 'findXetChunk',
  method: 'GET',
  path: '/cas/{owner}/v1/chunks/{prefix}/{hash}',
  summary: 'Find a chunk in the large files of a repository',
  description:
    'For clients that upload: the first chunk of a file, and one in 1024 others, are found in the files that the repository ' +
    'of the token has for a minute or longer. The response is a shard of the Xet protocol: the xorb with the chunk and ' +
    `those after it, without files. Chunks that it lists need not be uploaded for an hour. ${TOKEN}`,
  tags,
  authority: 'public',
  params: OfOwner.extend({ prefix: z.string().max(64), hash: XetHash }),
  answers: {},
  otherAnswers: {
    200: 'A shard (`application/octet-stream`).',
    401: otherAnswers[401],
    403: otherAnswers[403],
    404: 'No file of the repository has the chunk, or the hub sends files without Xet.',
  },
});

const shard = {
  method: 'POST',
  tags,
  authority: 'public',
  params: OfOwner,
  rawBody: { description: 'The shard, at most 64 MiB.', types: ['application/octet-stream'], stream: true },
} as const;

const SHARD =
  'A shard of the Xet protocol says of which chunks each file consists. The hub checks what it says, makes each file ' +
  `and compares it with its SHA-256, which only files of buckets can be without; the repository then has it as a large file. ${TOKEN}`;

export const uploadShard = defineRoute({
  ...shard,
  id: 'uploadShard',
  path: '/cas/{owner}/v1/shards',
  summary: 'Make large files of uploaded chunks',
  description: SHARD,
  answers: { 200: z.object({ result: z.literal(1) }) },
  otherAnswers,
});

export const uploadShardWithProgress = defineRoute({
  ...shard,
  id: 'uploadShardWithProgress',
  path: '/cas/{owner}/v2/shards',
  summary: 'Make large files of uploaded chunks, with news of the progress',
  description: SHARD,
  answers: {},
  otherAnswers: {
    ...otherAnswers,
    200: 'Lines of JSON (`application/x-ndjson`); the last one has the type `result` or `error`.',
  },
});

export const postXetTelemetry = defineRoute({
  id: 'postXetTelemetry',
  method: 'POST',
  path: '/v1/telemetry',
  summary: 'Discard reports of Xet clients',
  description: 'Clients report their transfers here. The hub reads and keeps nothing.',
  tags,
  authority: 'public',
  rawBody: { description: 'Anything.', types: ['application/json'] },
  answers: { 200: Empty },
});

export const xetRoutes = [
  getXetWriteToken,
  getXetReadToken,
  getBucketXetWriteToken,
  getBucketXetReadToken,
  uploadXorb,
  findXetChunk,
  uploadShard,
  uploadShardWithProgress,
  postXetTelemetry,
] as const;
