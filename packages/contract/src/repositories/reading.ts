import * as z from 'zod';
import { Empty, ObjectId, queryInteger, RepoParams, RepoType, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { SpaceRuntime } from './space-runtime.ts';

const tags = ['repos'];
const authority = 'repo.content.read';

/** The fields that `expand` may name, by type (W§1.4). Only fields that this hub knows are returned. */
export const EXPANDABLE = {
  model: [
    ...['author', 'baseModels', 'cardData', 'childrenModelCount', 'config', 'createdAt', 'disabled', 'downloads'],
    ...['downloadsAllTime', 'evalResults', 'gated', 'gguf', 'gitalyUid', 'inference', 'inferenceProviderMapping'],
    ...['lastModified', 'library_name', 'likes', 'mask_token', 'model-index', 'pipeline_tag', 'private'],
    ...['resourceGroup', 'safetensors', 'sha', 'siblings', 'spaces', 'tags', 'transformersInfo', 'trendingScore'],
    ...['usedStorage', 'widgetData', 'xetEnabled'],
  ],
  dataset: [
    ...['author', 'cardData', 'citation', 'createdAt', 'description', 'disabled', 'downloads', 'downloadsAllTime'],
    ...['gated', 'gitalyUid', 'lastModified', 'likes', 'mainSize', 'paperswithcode_id', 'private', 'resourceGroup'],
    ...['sha', 'siblings', 'tags', 'trendingScore', 'usedStorage', 'xetEnabled'],
  ],
  space: [
    ...['author', 'cardData', 'createdAt', 'datasets', 'disabled', 'gitalyUid', 'lastModified', 'likes', 'models'],
    ...['private', 'region', 'resourceGroup', 'runtime', 'sdk', 'sha', 'siblings', 'subdomain', 'tags'],
    ...['trendingScore', 'usedStorage', 'xetEnabled'],
  ],
  kernel: [],
} as const satisfies Record<Exclude<RepoType, 'bucket'>, readonly string[]>;

const Gated = z.union([z.literal(false), z.enum(['auto', 'manual'])]);

/** What the hub has read from the files of `main`: shortly after a commit, and for every revision the same. */
export const FromFiles = z.object({
  cardData: z.record(z.string(), z.unknown()).optional().meta({ description: 'The metadata of the README.' }),
  cardError: z.string().optional().meta({ description: 'Why the metadata of the README cannot be read.' }),
  library_name: z.string().optional().meta({ description: 'Models only, as what follows.' }),
  pipeline_tag: z.string().optional(),
  mask_token: z.string().optional(),
  widgetData: z.unknown().optional(),
  'model-index': z.unknown().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  transformersInfo: z
    .object({ auto_model: z.string(), pipeline_tag: z.string().optional(), processor: z.string().optional() })
    .optional(),
  safetensors: z
    .object({ parameters: z.record(z.string(), z.number()), total: z.number(), sharded: z.boolean().optional() })
    .optional(),
  gguf: z
    .object({
      total: z.number().optional(),
      architecture: z.string().optional(),
      context_length: z.number().optional(),
      chat_template: z.string().optional(),
      bos_token: z.string().optional(),
      eos_token: z.string().optional(),
    })
    .optional(),
  description: z.string().optional().meta({ description: 'Datasets only, as the next two.' }),
  citation: z.string().optional(),
  paperswithcode_id: z.string().optional(),
  models: z.array(z.string()).optional().meta({ description: 'Spaces only, as `datasets`.' }),
  datasets: z.array(z.string()).optional(),
});

/** With `expand`: `_id`, `id` and the named fields; otherwise all fields that the type has. */
export const RepoInfo = z
  .object({
    _id: ObjectId,
    id: z.string().meta({ description: 'namespace/name' }),
    modelId: z.string().optional().meta({ description: 'Models only: same as `id`.' }),
    author: z.string().optional(),
    sha: z.string().optional().meta({ description: 'Commit of the revision (default: `main`).' }),
    lastModified: Timestamp.optional().meta({ description: 'When a branch or tag last changed.' }),
    createdAt: Timestamp.optional(),
    private: z.boolean().optional(),
    gated: Gated.optional(),
    disabled: z.literal(false).optional(),
    downloads: z.number().optional().meta({ description: 'Of the last 30 days. Not for Spaces.' }),
    downloadsAllTime: z.number().optional().meta({ description: 'Only with `expand`.' }),
    likes: z.number().optional(),
    trendingScore: z
      .number()
      .optional()
      .meta({ description: 'From the downloads and likes of the last 7 days; the older, the less they count.' }),
    tags: z.array(z.string()).optional().meta({ description: 'Those of the README, and what follows from files.' }),
    ...FromFiles.shape,
    securityRepoStatus: z
      .object({ scansDone: z.literal(false), filesWithIssues: z.array(z.never()) })
      .optional()
      .meta({ description: 'Only with `securityStatus`. This hub does not scan files.' }),
    siblings: z
      .array(
        z.object({
          rfilename: z.string(),
          size: z.number().optional(),
          blobId: z.string().optional(),
          lfs: z.object({ size: z.number(), sha256: z.string(), pointerSize: z.number() }).optional(),
        }),
      )
      .optional()
      .meta({ description: 'Files of the repository; with `blobs`, also their sizes and ids.' }),
    usedStorage: z.number().optional(),
    sdk: z.string().optional().meta({ description: 'Spaces only.' }),
    subdomain: z.string().optional().meta({ description: 'Spaces only.' }),
    runtime: SpaceRuntime.optional().meta({ description: 'Spaces only; in lists only with `expand`.' }),
  })
  .meta({ id: 'RepoInfo' });

export const KernelInfo = z
  .object({
    _id: ObjectId,
    author: z.string(),
    downloads: z.number(),
    id: z.string().meta({ description: 'namespace/name' }),
    isLikedByUser: z.boolean(),
    lastModified: Timestamp,
    likes: z.number(),
    private: z.boolean(),
    repoType: z.literal('kernel'),
    sha: z.string(),
    gated: Gated,
  })
  .meta({ id: 'KernelInfo' });

const GitRepo = RepoParams.extend({ repoType: z.enum(['models', 'datasets', 'spaces', 'kernels']) });
/** The statuses of an operation that also reads from the upstream. */
export const FROM_UPSTREAM = {
  429: 'Too much is being read from the upstream; `Retry-After` says when to try again.',
  504: 'Only the upstream can have it, and it does not answer.',
} as const;
const InfoQuery = z.object({
  blobs: z.unknown().optional().meta({ description: 'If given, `siblings` has the sizes and ids of files.' }),
  securityStatus: z.unknown().optional().meta({ description: 'If given, the answer has `securityRepoStatus`.' }),
  expand: z
    .union([z.string(), z.array(z.string())])
    .transform((names) => [names].flat())
    .optional()
    .meta({ description: 'Return only these fields; may be repeated. 400 for a field that the type does not have.' }),
});

export const getRepo = defineRoute({
  id: 'getRepo',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}',
  summary: 'Get a repository',
  tags,
  authority,
  anonymous: true,
  params: GitRepo,
  query: InfoQuery,
  answers: { 200: z.union([KernelInfo, RepoInfo]) },
  otherAnswers: FROM_UPSTREAM,
});

export const getRepoAtRevision = defineRoute({
  id: 'getRepoAtRevision',
  client: { params: { rev: 'revision' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/revision/{rev}',
  summary: 'Get a repository at a revision',
  description:
    'The revision is a branch, a tag, a commit id, a ref such as `refs/pr/1`, or `HEAD`. 404 with the code `RevisionNotFound` otherwise.',
  tags,
  authority,
  anonymous: true,
  params: GitRepo.extend({ rev: z.string().min(1).max(255) }),
  query: InfoQuery,
  answers: { 200: z.union([KernelInfo, RepoInfo]) },
  otherAnswers: FROM_UPSTREAM,
});

const Bucket = z
  .object({
    _id: ObjectId,
    author: z.string(),
    id: z.string().meta({ description: 'namespace/name' }),
    private: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    size: z.number().meta({ description: 'The total size of the files in bytes.' }),
    totalFiles: z.number(),
    repoType: z.literal('bucket'),
    cdnRegions: z.array(z.never()),
  })
  .meta({ id: 'Bucket' });

export const listBuckets = defineRoute({
  id: 'listBuckets',
  method: 'GET',
  path: '/api/buckets/{namespace}',
  summary: 'List the buckets of a user or organization',
  description:
    'Returns the buckets that the caller may read, the last one made first. The namespace `me` is the caller.',
  tags: ['buckets'],
  authority,
  anonymous: true,
  params: RepoParams.pick({ namespace: true }),
  query: z.object({
    search: z.string().max(200).optional().meta({ description: 'Text to search for in the name, ignoring case.' }),
    limit: queryInteger({ min: 1, max: 1000, default: 500 }).meta({ description: 'Buckets per page.' }),
    cursor: z.string().max(2048).optional().meta({ description: 'Start of the page, from the Link header.' }),
  }),
  answers: { 200: z.array(Bucket) },
});

export const getBucket = defineRoute({
  id: 'getBucket',
  method: 'GET',
  path: '/api/buckets/{namespace}/{repo}',
  summary: 'Get a bucket',
  tags: ['buckets'],
  authority,
  anonymous: true,
  params: RepoParams.omit({ repoType: true }),
  answers: { 200: Bucket },
});

const GitRef = z.object({ name: z.string(), ref: z.string(), targetCommit: z.string() });

export const listRefs = defineRoute({
  id: 'listRefs',
  client: { query: { include_prs: 'includePullRequests' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/refs',
  summary: 'List branches and tags',
  tags,
  authority,
  anonymous: true,
  params: GitRepo,
  query: z.object({
    include_prs: z
      .enum(['true', '1', 'on', '', 'false', '0', 'off'])
      .default('false')
      .transform((text) => !['false', '0', 'off'].includes(text))
      .meta({ description: 'Whether to include the refs of pull requests.' }),
  }),
  answers: {
    200: z.object({
      branches: z.array(GitRef),
      tags: z.array(GitRef),
      converts: z.array(GitRef).meta({ description: 'Refs of dataset conversions: none on this hub.' }),
      pullRequests: z.array(GitRef).optional(),
    }),
  },
  otherAnswers: FROM_UPSTREAM,
});

export const checkAccess = defineRoute({
  id: 'checkAccess',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/auth-check',
  summary: 'Check whether the caller may read a repository',
  tags,
  authority,
  anonymous: true,
  params: RepoParams,
  answers: { 200: Empty },
  otherAnswers: FROM_UPSTREAM,
});

export const checkWriteAccess = defineRoute({
  id: 'checkWriteAccess',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/auth-check/write',
  summary: 'Check whether the caller may write to a repository',
  tags,
  authority: 'repo.write',
  params: RepoParams,
  answers: { 200: Empty },
});

const ListQuery = z.object({
  search: z.string().optional().meta({ description: 'Text to search for in the name, ignoring case.' }),
  type: RepoType.optional(),
  limit: queryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, default: 500 }).meta({
    description: 'Repositories per page, at most 1000.',
  }),
  sort: z.enum(['storage', 'updatedAt']).default('storage'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  cursor: z.string().max(2048).optional().meta({ description: 'Start of the page, from the Link header.' }),
});
const StoredRepo = z.object({
  id: z.string().meta({ description: 'namespace/name' }),
  type: RepoType,
  updatedAt: Timestamp,
  visibility: z.enum(['public', 'private', 'protected']),
  storage: z.number(),
  storagePercent: z.number(),
});

export const listRepos = defineRoute({
  id: 'listRepos',
  method: 'GET',
  path: '/api/settings/repositories',
  summary: 'List the repositories of the caller',
  tags: ['users'],
  authority,
  query: ListQuery,
  answers: { 200: z.array(StoredRepo) },
});

export const listOrganizationRepos = defineRoute({
  id: 'listOrganizationRepos',
  client: { params: { name: 'organization' } },
  method: 'GET',
  path: '/api/organizations/{name}/settings/repositories',
  summary: 'List the repositories of an organization',
  description: 'Returns only repositories that the caller may read.',
  tags: ['orgs'],
  authority,
  params: z.object({ name: z.string() }),
  query: ListQuery,
  answers: { 200: z.array(StoredRepo) },
});

export const repositoryReadRoutes = [
  getRepo,
  getRepoAtRevision,
  getBucket,
  listBuckets,
  listRefs,
  checkAccess,
  checkWriteAccess,
  listRepos,
  listOrganizationRepos,
] as const;
