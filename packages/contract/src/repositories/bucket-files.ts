import * as z from 'zod';
import { Flag } from '../content/reading.ts';
import { queryInteger, RepoParams, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['buckets'];

export const BucketParams = RepoParams.omit({ repoType: true });

/** A bucket, followed by a path. */
const AtPath = BucketParams.extend({ rev: z.string().min(1) });

const reading = { tags, authority: 'repo.content.read', anonymous: true } as const;

export const BucketFile = z
  .object({
    type: z.literal('file'),
    path: z.string(),
    size: z.number().meta({ description: 'In bytes.' }),
    xetHash: z.string().meta({ description: 'The hash by which clients of Xet download the file.' }),
    mtime: Timestamp.meta({ description: 'When the file last changed, as its uploader said.' }),
    uploadedAt: Timestamp,
    contentType: z.string().optional(),
  })
  .meta({ id: 'BucketFile' });

const BucketFolder = z
  .object({
    type: z.literal('directory'),
    path: z.string(),
    uploadedAt: Timestamp.meta({ description: 'When the first file in it, by its path, was uploaded.' }),
  })
  .meta({ id: 'BucketFolder' });

const tree = {
  ...reading,
  method: 'GET',
  query: z.object({
    recursive: Flag.optional().meta({
      description: '`true` (the default) lists all files; `false` the files and folders of one folder.',
    }),
    limit: queryInteger({ min: 1, max: 5000, default: 1000 }).meta({ description: 'Entries on a page.' }),
    cursor: z.string().max(8192).optional().meta({ description: 'The start of the page; from the Link header.' }),
    sort: z.enum(['path', 'uploadedAt']).default('path').meta({
      description: '`uploadedAt` lists all files of a bucket: neither with a prefix nor with `recursive=false`.',
    }),
    direction: z.enum(['asc', 'desc']).optional().meta({
      description:
        'By default `asc` for `path`, and `desc` for `uploadedAt`. Folders are listed in ascending order only.',
    }),
  }),
  answers: { 200: z.array(z.discriminatedUnion('type', [BucketFile, BucketFolder])) },
} as const;

const TREE =
  'In the order of the bytes of their paths, or the last uploaded ones first. `Link: <…>; rel="next"` leads to the next page.';

export const listBucketTree = defineRoute({
  ...tree,
  id: 'listBucketTree',
  path: '/api/buckets/{namespace}/{repo}/tree',
  summary: 'List the files of a bucket',
  description: TREE,
  params: BucketParams,
});

export const listBucketTreeBelow = defineRoute({
  ...tree,
  id: 'listBucketTreeBelow',
  client: { params: { rev: 'prefix' } },
  path: '/api/buckets/{namespace}/{repo}/tree/{rev}',
  summary: 'List some files of a bucket',
  description: `The files whose paths begin with the last part of the URL; with \`recursive=false\`, what is in the folder of that name. ${TREE}`,
  params: AtPath,
});

export const getBucketPathsInfo = defineRoute({
  ...reading,
  id: 'getBucketPathsInfo',
  method: 'POST',
  path: '/api/buckets/{namespace}/{repo}/paths-info',
  summary: 'Get some files of a bucket',
  description: 'By path, at most 2000. Missing ones and folders are omitted.',
  params: BucketParams,
  body: z.object({ paths: z.union([z.string(), z.array(z.string())]).transform((paths) => [paths].flat()) }),
  answers: { 200: z.array(BucketFile) },
});

const LINES =
  'Lines of JSON, at most 10000: `addFile` with `path`, `xetHash`, `mtime` (milliseconds since 1970) and `contentType`?, ' +
  '`copyFile` with `path`, `xetHash`, `sourceRepoType`, `sourceRepoId`, `mtime`? and `contentType`?, or `deleteFile` with ' +
  '`path`; `type` says which.';

export const changeBucketFiles = defineRoute({
  id: 'changeBucketFiles',
  client: { body: 'operations' },
  method: 'POST',
  path: '/api/buckets/{namespace}/{repo}/batch',
  summary: 'Add, copy and delete files of a bucket',
  description:
    'The lines count one after the other, and each for itself: a line that cannot be done is among `failed`. The bytes of ' +
    'added files are sent before, through Xet with a token of `getBucketXetWriteToken`, and are kept for a day until a line ' +
    'names them. A copied file needs no bytes: the caller must be able to read its source. A file in the same place is replaced; ' +
    'deleting what is not there succeeds. The same lines can be sent again.',
  tags,
  authority: 'repo.write',
  params: BucketParams,
  rawBody: { description: LINES, types: ['application/x-ndjson'], stream: true },
  answers: {
    200: z.object({
      success: z.boolean().meta({ description: 'Whether no line failed.' }),
      processed: z.int().meta({ description: 'The number of lines.' }),
      succeeded: z.int(),
      failed: z.array(z.object({ path: z.string(), error: z.string() })),
    }),
  },
  otherAnswers: {
    422: 'No line could be done; the body has the fields of 200 as well.',
  },
});

export const downloadBucketFile = defineRoute({
  ...reading,
  id: 'downloadBucketFile',
  client: { params: { rev: 'path' } },
  method: 'GET',
  path: '/buckets/{namespace}/{repo}/resolve/{rev}',
  summary: 'Download a file of a bucket',
  description:
    '`X-Xet-Hash` and `Link: <…>; rel="xet-auth"` say how clients of Xet download the file. `HEAD` has its size as ' +
    '`Content-Length`. Code `EntryNotFound`.',
  params: AtPath,
  query: z.object({ download: z.unknown().optional() }),
  answers: { 200: z.unknown() },
  otherAnswers: {
    206: 'The range that the header `Range` asks for.',
    302: 'The address of the file in the storage of the hub.',
    304: 'The caller has it: `If-None-Match` names its `ETag`.',
    412: 'The file is not the one that `If-Match` names.',
    416: 'The range lies beyond the end.',
  },
});

export const bucketFileRoutes = [
  listBucketTree,
  listBucketTreeBelow,
  getBucketPathsInfo,
  changeBucketFiles,
  downloadBucketFile,
] as const;
