import * as z from 'zod';
import { RepoParams, Timestamp } from '../primitives.ts';
import { FROM_UPSTREAM } from '../repositories/reading.ts';
import { defineRoute } from '../route.ts';

const tags = ['content'];
const authority = 'repo.content.read';

export const GitRepoParams = RepoParams.extend({ repoType: z.enum(['models', 'datasets', 'spaces', 'kernels']) });

/** A revision, followed by a path if the route has one. */
export const AtRevision = GitRepoParams.extend({ rev: z.string().min(1) });

/** How clients write a boolean in a query or a form. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'True', '1', 'on', '', 'false', 'False', '0', 'off'])])
  .transform((value) => (typeof value === 'boolean' ? value : !['false', 'False', '0', 'off'].includes(value)));

const LastCommit = z.object({ id: z.string(), title: z.string(), date: Timestamp });

/** A file or folder of a repository. */
export const TreeItem = z
  .object({
    type: z.enum(['file', 'directory']),
    oid: z.string().meta({ description: 'The id of the object in git; for a large file, of its pointer.' }),
    size: z.number().meta({ description: 'In bytes; 0 for folders.' }),
    path: z.string(),
    lfs: z
      .object({
        oid: z.string().meta({ description: 'The SHA-256 of the file.' }),
        size: z.number(),
        pointerSize: z.number(),
      })
      .optional()
      .meta({ description: 'Large files only.' }),
    xetHash: z.string().optional().meta({
      description: 'The hash by which clients of Xet download the file; only files that can be downloaded so.',
    }),
    lastCommit: LastCommit.optional().meta({
      description: 'Only with `expand`: the last commit that changed the entry.',
    }),
  })
  .meta({ id: 'TreeItem' });

export const listTree = defineRoute({
  id: 'listTree',
  client: { params: { rev: 'revision' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/tree/{rev}',
  summary: 'List files and folders',
  description:
    'The path of a folder may follow the revision. `Link: <…>; rel="next"` leads to the next page. Codes ' +
    '`RevisionNotFound` and `EntryNotFound`.',
  tags,
  authority,
  anonymous: true,
  params: AtRevision,
  query: z.object({
    recursive: Flag.optional().meta({ description: 'Also list the content of folders.' }),
    expand: Flag.optional().meta({ description: 'Include `lastCommit` of each entry; pages are smaller then.' }),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'must be a whole number above 0')
      .transform(Number)
      .optional()
      .meta({ description: 'Entries on a page: at most 1000, with `expand` 50.' }),
    cursor: z.string().max(8192).optional().meta({ description: 'The start of the page; from the Link header.' }),
  }),
  answers: { 200: z.array(TreeItem) },
  otherAnswers: FROM_UPSTREAM,
});

export const getPathsInfo = defineRoute({
  id: 'getPathsInfo',
  client: { params: { rev: 'revision' } },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/paths-info/{rev}',
  summary: 'Get some files and folders',
  description: 'By path, at most 2000. Missing ones are omitted.',
  tags,
  authority,
  anonymous: true,
  forms: 'repeated',
  params: AtRevision,
  body: z.object({
    paths: z.union([z.string(), z.array(z.string())]).transform((paths) => [paths].flat()),
    expand: Flag.optional(),
  }),
  answers: { 200: z.array(TreeItem) },
  otherAnswers: FROM_UPSTREAM,
});

export const listCommits = defineRoute({
  id: 'listCommits',
  client: { params: { rev: 'revision' }, query: { p: 'page' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/commits/{rev}',
  summary: 'List commits',
  description: 'Newest first. `X-Total-Count` is their number; `Link: <…>; rel="next"` leads to the next page.',
  tags,
  authority,
  anonymous: true,
  params: AtRevision,
  query: z.object({
    p: z
      .string()
      .regex(/^(0|[1-9]\d{0,6})$/, 'must be a whole number')
      .transform(Number)
      .optional()
      .meta({ description: 'The number of the page, starting with 0.' }),
    limit: z
      .string()
      .regex(/^([1-9]\d{0,2}|1000)$/, 'must be a number from 1 to 1000')
      .transform(Number)
      .optional()
      .meta({ description: 'Commits on a page, 50 by default.' }),
    expand: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: '`formatted`' }),
  }),
  answers: {
    200: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        message: z.string(),
        authors: z.array(z.object({ user: z.string() })),
        date: Timestamp,
        formatted: z.object({ title: z.string(), message: z.string() }).optional(),
      }),
    ),
  },
});

export const getTreeSize = defineRoute({
  id: 'getTreeSize',
  client: { params: { rev: 'revisionAndPath' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/treesize/{rev}',
  summary: 'Get the total size of the files in a folder',
  description:
    'The path of a folder or file follows the revision; no path means all files. Large files count with their real ' +
    'sizes. Codes `RevisionNotFound` and `EntryNotFound`.',
  tags,
  authority,
  anonymous: true,
  params: AtRevision,
  answers: { 200: z.object({ path: z.string(), size: z.number().meta({ description: 'In bytes.' }) }) },
});

export const contentReadRoutes = [listTree, getPathsInfo, listCommits, getTreeSize] as const;
