import * as z from 'zod';
import { EmailAddress, Empty, ObjectId, RepoParams, RepoType, Success } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { NEW_SPACE } from './space-settings.ts';

export const Visibility = z.enum(['private', 'public', 'protected']).meta({
  description: '`protected` is for Spaces only and means private on this hub.',
});
export const Private = z
  .boolean()
  .nullable()
  .optional()
  .meta({ description: 'Default: public. Cannot be combined with `visibility`.' });

export const ResourceGroupId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/)
  .meta({ description: 'The resource group of the organization to create the repository in.' });

export const hasAtMostOneVisibility = (body: {
  private?: boolean | null | undefined;
  visibility?: string | undefined;
}) => body.private === undefined || body.private === null || body.visibility === undefined;
export const NOT_BOTH = { path: ['visibility'], message: 'give either `private` or `visibility`, not both' };

/** The response to a creation; a 409 has these fields too, beside `error`. */
const Created = z.object({ url: z.url(), name: z.string(), id: ObjectId });

/** The client accepts the full name. */
const client = { body: { name: 'repo', organization: null } };
const RepoName = z.object({
  name: z.string().min(1).meta({ description: 'name, or namespace/name' }),
  organization: z.string().nullable().optional().meta({ description: 'The namespace (default: that of the caller).' }),
  type: RepoType.default('model'),
});

const cardText = (max: number) => z.string().min(1).max(max).optional();

/** Metadata of the `README.md` that a repository begins with, unless `files` has one (B§4). */
const CARD_FIELDS = {
  license: cardText(100).meta({ description: 'Identifier of the licence, for the `README.md` that is then made.' }),
  license_name: cardText(200),
  license_link: cardText(2000),
  short_description: cardText(60).meta({ description: 'Spaces only: for the `README.md` as well.' }),
};

export const createRepo = defineRoute({
  id: 'createRepo',
  client,
  method: 'POST',
  path: '/api/repos/create',
  summary: 'Create a repository',
  tags: ['repos'],
  authority: 'repo.write',
  body: RepoName.extend({
    private: Private,
    visibility: Visibility.optional(),
    sdk: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Spaces only. A Space with an SDK begins with a `README.md` that names it.' }),
    resourceGroupId: ResourceGroupId.nullable().optional(),
    files: z
      .array(
        z.object({
          path: z.string().max(4096),
          content: z.string(),
          encoding: z.enum(['utf-8', 'base64']).optional().meta({ description: 'Default: `utf-8`.' }),
        }),
      )
      .max(1000)
      .optional()
      .meta({
        description: 'Files of a commit that the repository begins with, beside `.gitattributes`. Not for buckets.',
      }),
    ...CARD_FIELDS,
    ...NEW_SPACE,
    template: z.string().max(200).optional().meta({ description: '400: this hub has no templates of Spaces.' }),
  }).refine(hasAtMostOneVisibility, NOT_BOTH),
  answers: { 200: Created },
  otherAnswers: {
    422: 'A path that no repository may have.',
    501: 'Hardware for a Space: this hub does not run them.',
  },
});

export const createBucket = defineRoute({
  id: 'createBucket',
  method: 'POST',
  path: '/api/buckets/{namespace}/{repo}',
  summary: 'Create a bucket',
  tags: ['buckets'],
  authority: 'repo.write',
  params: RepoParams.omit({ repoType: true }),
  body: z
    .object({
      private: Private,
      visibility: Visibility.optional(),
      resourceGroupId: ResourceGroupId.optional(),
    })
    .refine(hasAtMostOneVisibility, NOT_BOTH),
  answers: { 200: Created },
});

export const deleteRepo = defineRoute({
  id: 'deleteRepo',
  client,
  method: 'DELETE',
  path: '/api/repos/delete',
  summary: 'Delete a repository',
  tags: ['repos'],
  authority: 'repo.write',
  body: RepoName,
  answers: { 200: Empty },
});

export const deleteBucket = defineRoute({
  id: 'deleteBucket',
  method: 'DELETE',
  path: '/api/buckets/{namespace}/{repo}',
  summary: 'Delete a bucket',
  tags: ['buckets'],
  authority: 'repo.write',
  params: RepoParams.omit({ repoType: true }),
  answers: { 200: Empty },
});

export const moveRepo = defineRoute({
  id: 'moveRepo',
  client: { body: { fromRepo: 'from', toRepo: 'to' } },
  method: 'POST',
  path: '/api/repos/move',
  summary: 'Move or rename a repository',
  tags: ['repos'],
  authority: 'repo.write',
  body: z.object({
    fromRepo: z.string().meta({ description: 'namespace/name' }),
    toRepo: z.string().meta({ description: 'namespace/name' }),
    type: RepoType.default('model'),
  }),
  answers: { 200: Success },
});

const Settings = z.object({
  private: z.boolean().optional(),
  visibility: Visibility.optional(),
  discussionsDisabled: z.boolean().optional(),
  gated: z.union([z.literal(false), z.enum(['auto', 'manual'])], 'must be false, auto or manual').optional(),
  orgMembersGated: z.boolean().optional().meta({
    description: 'Whether members of the organization who may only read need a granted access request as well.',
  }),
  gatedNotificationsEmail: z
    .union([z.literal(''), EmailAddress])
    .nullable()
    .optional()
    .meta({
      description:
        'Where mails about access requests go; empty or null: to the owner, or to admins of the organization.',
    }),
  gatedNotificationsMode: z.enum(['bulk', 'real-time']).optional().meta({
    description: 'Whether each access request is mailed at once, or those of a day together.',
  }),
});

export const updateRepoSettings = defineRoute({
  id: 'updateRepoSettings',
  client: { body: 'settings' },
  method: 'PUT',
  path: '/api/{repoType}/{namespace}/{repo}/settings',
  tags: ['repos'],
  summary: 'Update the settings of a repository',
  authority: 'repo.write',
  params: RepoParams,
  body: Settings.refine(hasAtMostOneVisibility, NOT_BOTH),
  answers: {
    200: Settings.extend({ cdnRegions: z.array(z.never()).optional().meta({ description: 'Buckets only.' }) }),
  },
});

export const getRepoSettings = defineRoute({
  id: 'getRepoSettings',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/settings',
  tags: ['repos'],
  summary: 'Get the settings of a repository',
  description: 'For those who may change them.',
  authority: 'repo.write',
  params: RepoParams,
  answers: updateRepoSettings.answers,
});

const RefParams = RepoParams.extend({ rev: z.string().min(1).max(255) });

export const createBranch = defineRoute({
  id: 'createBranch',
  client: { params: { rev: 'branch' } },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
  tags: ['repos'],
  summary: 'Create a branch',
  authority: 'repo.write',
  params: RefParams,
  body: z.object({
    startingPoint: z.string().min(1).optional().meta({ description: 'Branch, tag or commit id (default: `main`).' }),
    emptyBranch: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the branch begins with a commit of its own.' }),
    overwrite: z.boolean().default(false).meta({ description: 'Whether to move an existing branch.' }),
  }),
  answers: { 200: Success },
});

export const deleteBranch = defineRoute({
  id: 'deleteBranch',
  client: { params: { rev: 'branch' } },
  method: 'DELETE',
  path: '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
  tags: ['repos'],
  summary: 'Delete a branch',
  authority: 'repo.write',
  params: RefParams,
  answers: { 200: Success },
});

export const createTag = defineRoute({
  id: 'createTag',
  client: { params: { rev: 'revision' } },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/tag/{rev}',
  tags: ['repos'],
  summary: 'Create a tag at a revision',
  authority: 'repo.write',
  params: RefParams,
  body: z.object({ tag: z.string().min(1).max(255), message: z.string().max(65536).optional() }),
  answers: { 200: Success },
});

export const deleteTag = defineRoute({
  id: 'deleteTag',
  client: { params: { rev: 'tag' } },
  method: 'DELETE',
  path: '/api/{repoType}/{namespace}/{repo}/tag/{rev}',
  tags: ['repos'],
  summary: 'Delete a tag',
  authority: 'repo.write',
  params: RefParams,
  answers: { 200: Success },
});

export const repositoryRoutes = [
  createRepo,
  createBucket,
  deleteRepo,
  deleteBucket,
  moveRepo,
  updateRepoSettings,
  getRepoSettings,
  createBranch,
  deleteBranch,
  createTag,
  deleteTag,
] as const;
