import { z } from 'zod';
import { Empty, ObjectId, queryInteger, RepoParams, RepoType, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['repos'];
const authority = 'repo.content.read';

/** What `expand` may name, by type (W§1.4). Only what this hub knows is answered. */
export const EXPANDABLE = {
  model: [
    ...['author', 'baseModels', 'cardData', 'childrenModelCount', 'config', 'createdAt', 'disabled', 'downloads'],
    ...['downloadsAllTime', 'evalResults', 'gated', 'gguf', 'gitalyUid', 'inference', 'inferenceProviderMapping'],
    ...['lastModified', 'library_name', 'likes', 'mask_token', 'model-index', 'pipeline_tag', 'private'],
    ...['resourceGroup', 'safetensors', 'sha', 'siblings', 'spaces', 'tags', 'transformersInfo', 'trendingScore'],
    ...['usedStorage', 'widgetData'],
  ],
  dataset: [
    ...['author', 'cardData', 'citation', 'createdAt', 'description', 'disabled', 'downloads', 'downloadsAllTime'],
    ...['gated', 'gitalyUid', 'lastModified', 'likes', 'mainSize', 'paperswithcode_id', 'private', 'resourceGroup'],
    ...['sha', 'siblings', 'tags', 'trendingScore', 'usedStorage'],
  ],
  space: [
    ...['author', 'cardData', 'createdAt', 'datasets', 'disabled', 'gitalyUid', 'lastModified', 'likes', 'models'],
    ...['private', 'region', 'resourceGroup', 'runtime', 'sdk', 'sha', 'siblings', 'subdomain', 'tags'],
    ...['trendingScore', 'usedStorage'],
  ],
  kernel: [],
} as const satisfies Record<Exclude<RepoType, 'bucket'>, readonly string[]>;

const Gated = z.union([z.literal(false), z.enum(['auto', 'manual'])]);

/** With `expand`, `_id`, `id` and what it names; otherwise all that follows, `modelId` for models and so on. */
export const RepoInfo = z
  .object({
    _id: ObjectId,
    id: z.string().meta({ description: 'namespace/name' }),
    modelId: z.string().optional().meta({ description: 'Models: the same as `id`.' }),
    author: z.string().optional(),
    sha: z.string().optional().meta({ description: 'The commit of the revision, `main` by default.' }),
    lastModified: Timestamp.optional().meta({ description: 'When a branch or tag last changed.' }),
    createdAt: Timestamp.optional(),
    private: z.boolean().optional(),
    gated: Gated.optional(),
    disabled: z.literal(false).optional(),
    downloads: z.number().optional().meta({ description: 'Not for Spaces. Nothing is counted yet: 0.' }),
    downloadsAllTime: z.number().optional().meta({ description: 'Only with `expand`.' }),
    likes: z.number().optional().meta({ description: 'Nothing is counted yet: 0.' }),
    tags: z.array(z.string()).optional(),
    siblings: z
      .array(z.object({ rfilename: z.string() }))
      .optional()
      .meta({ description: 'Its files: none yet.' }),
    usedStorage: z.number().optional(),
    sdk: z.string().optional().meta({ description: 'Spaces only.' }),
    subdomain: z.string().optional().meta({ description: 'Spaces only.' }),
  })
  .meta({ id: 'RepoInfo' });

export const KernelInfo = z
  .object({
    author: z.string(),
    downloads: z.number(),
    id: z.string(),
    isLikedByUser: z.literal(false),
    lastModified: Timestamp,
    likes: z.number(),
    private: z.boolean(),
    repoType: z.literal('kernel'),
    sha: z.string(),
    gated: Gated,
  })
  .meta({ id: 'KernelInfo' });

const GitRepo = RepoParams.extend({ repoType: z.enum(['models', 'datasets', 'spaces', 'kernels']) });
const InfoQuery = z.object({
  blobs: z.unknown().optional().meta({ description: 'Taken with any value; there are no files to describe yet.' }),
  expand: z
    .union([z.string(), z.array(z.string())])
    .transform((names) => [names].flat())
    .optional()
    .meta({ description: 'Repeated: answer only these fields. What a type does not have: 400.' }),
});

export const getRepo = defineRoute({
  id: 'getRepo',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}',
  summary: 'Repository',
  tags,
  authority,
  params: GitRepo,
  query: InfoQuery,
  answers: { 200: z.union([KernelInfo, RepoInfo]) },
});

export const getRepoAtRevision = defineRoute({
  id: 'getRepoAtRevision',
  client: { params: { rev: 'revision' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/revision/{rev}',
  summary: 'Repository at a revision',
  description: 'A branch, a tag, a commit id, a ref such as `refs/pr/1`, or `HEAD`. Code `RevisionNotFound` otherwise.',
  tags,
  authority,
  params: GitRepo.extend({ rev: z.string().min(1).max(255) }),
  query: InfoQuery,
  answers: { 200: z.union([KernelInfo, RepoInfo]) },
});

export const getBucket = defineRoute({
  id: 'getBucket',
  method: 'GET',
  path: '/api/buckets/{namespace}/{repo}',
  summary: 'Bucket',
  tags: ['buckets'],
  authority,
  params: RepoParams.omit({ repoType: true }),
  answers: {
    200: z.object({
      author: z.string(),
      id: z.string(),
      private: z.boolean(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      size: z.number(),
      totalFiles: z.number(),
      repoType: z.literal('bucket'),
      cdnRegions: z.array(z.never()),
    }),
  },
});

const GitRef = z.object({ name: z.string(), ref: z.string(), targetCommit: z.string() });

export const listRefs = defineRoute({
  id: 'listRefs',
  client: { query: { include_prs: 'includePullRequests' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/refs',
  summary: 'Branches and tags',
  tags,
  authority,
  params: GitRepo,
  query: z.object({
    include_prs: z
      .enum(['true', '1', 'on', '', 'false', '0', 'off'])
      .default('false')
      .transform((text) => !['false', '0', 'off'].includes(text))
      .meta({ description: 'The refs of pull requests, too.' }),
  }),
  answers: {
    200: z.object({
      branches: z.array(GitRef),
      tags: z.array(GitRef),
      converts: z.array(GitRef).meta({ description: 'Made by conversions of datasets: none here.' }),
      pullRequests: z.array(GitRef).optional(),
    }),
  },
});

export const checkAccess = defineRoute({
  id: 'checkAccess',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/auth-check',
  summary: 'Whether the caller may read',
  tags,
  authority,
  params: RepoParams,
  answers: { 200: Empty },
});

export const checkWriteAccess = defineRoute({
  id: 'checkWriteAccess',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/auth-check/write',
  summary: 'Whether the caller may write',
  tags,
  authority: 'repo.write',
  params: RepoParams,
  answers: { 200: Empty },
});

const ListQuery = z.object({
  search: z.string().optional().meta({ description: 'Part of the name, in any letter case.' }),
  type: RepoType.optional(),
  limit: queryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, default: 500 }).meta({
    description: 'Repositories on a page; 1000 at most are answered.',
  }),
  sort: z.enum(['storage', 'updatedAt']).default('storage'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  cursor: z.string().max(2048).optional().meta({ description: 'Where the page begins; taken from the Link header.' }),
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
  summary: 'Repositories of the caller',
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
  summary: 'Repositories of an organization',
  description: 'Those that the caller may read.',
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
  listRefs,
  checkAccess,
  checkWriteAccess,
  listRepos,
  listOrganizationRepos,
] as const;
