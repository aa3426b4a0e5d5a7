import * as z from 'zod';
import { defineRoute } from '../route.ts';
import { AtRevision, Flag } from './reading.ts';

const tags = ['content'];
const authority = 'repo.write';

const CreatePullRequest = Flag.optional().meta({
  description: 'Whether it is for a pull request that does not exist yet.',
});

const Patterns = z.string().max(262_144);

export const preupload = defineRoute({
  id: 'preupload',
  client: { params: { rev: 'revision' }, query: { create_pr: 'createPullRequest' } },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/preupload/{rev}',
  summary: 'Get how files must be uploaded',
  description:
    'For each of at most 1000 files: within the commit, or as a large file before it. Patterns are read as git reads them; lines ' +
    'of 2,048 bytes or more, and files of the repository above 256 KiB, are ignored.',
  tags,
  authority,
  params: AtRevision,
  query: z.object({ create_pr: CreatePullRequest }),
  body: z.object({
    files: z
      .array(
        z.object({
          path: z.string(),
          size: z.number().int().min(0),
          sample: z.string().max(2048).optional().meta({ description: 'The first 512 bytes, as base64.' }),
        }),
      )
      .max(1000),
    gitAttributes: Patterns.optional().meta({ description: 'Replaces the file `.gitattributes`.' }),
    gitIgnore: Patterns.optional().meta({ description: 'Takes precedence over the file `.gitignore`.' }),
  }),
  answers: {
    200: z.object({
      files: z.array(
        z.object({
          path: z.string(),
          uploadMode: z.enum(['lfs', 'regular']),
          shouldIgnore: z.boolean(),
          oid: z
            .string()
            .optional()
            .meta({ description: 'The present file: its id in git, or the SHA-256 of a large file.' }),
        }),
      ),
      commitOid: z.string(),
    }),
  },
  otherAnswers: { 422: 'A path is not allowed in repositories, or the patterns take too long to match.' },
});

const LINES =
  'Lines of JSON, or one document. Lines: `{"key": "header", "value": {"summary", "description"?, "parentCommit"?}}`, ' +
  'then `file` with `path`, `content` and `encoding` (`utf-8` or `base64`), `lfsFile` with `path`, `algo`, `oid` and ' +
  '`size`, `deletedFile` with the `path` of a file or folder, or `deletedFolder` with `path`. A file with `oldPath` replaces that one.';

export const createCommit = defineRoute({
  id: 'createCommit',
  client: {
    params: { rev: 'branch' },
    query: { create_pr: 'createPullRequest', hot_reload: null },
    body: 'operations',
  },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/commit/{rev}',
  summary: 'Commit files to a branch or a pull request',
  description:
    'Atomic. 412 if `parentCommit` is no longer the head of the branch; without it, the operations are applied to the ' +
    'present head. A commit that changes nothing returns the head. Deletions of missing files get code `EntryNotFound`. ' +
    'With `create_pr` the commit opens a pull request to the branch. Everybody who may read the repository can do so, ' +
    'and commit to their own pull requests (`refs/pr/N`), with the permission `discussion.write`.',
  tags,
  authority,
  params: AtRevision,
  query: z.object({
    create_pr: CreatePullRequest,
    hot_reload: z.unknown().optional().meta({ description: '501: this hub does not run Spaces.' }),
  }),
  rawBody: { description: LINES, types: ['application/x-ndjson', 'application/json'], stream: true },
  answers: {
    200: z.object({
      success: z.literal(true),
      commitOid: z.string(),
      commitUrl: z.string(),
      hookOutput: z.string(),
      pullRequestUrl: z.string().optional().meta({ description: 'Only with `create_pr`.' }),
    }),
  },
  otherAnswers: {
    409: 'A file is in the place of a folder or vice versa, or concurrent commits keep interfering.',
    412: '`parentCommit` is not the head of the branch.',
    413: 'The owner of the repository has no room for large files that somebody else proposed.',
    422: 'A path is not allowed in repositories.',
    501: 'With `hot_reload`: this hub does not run Spaces.',
  },
});

export const squashBranch = defineRoute({
  id: 'squashBranch',
  client: { params: { rev: 'branch' } },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/super-squash/{rev}',
  summary: 'Replace the history of a branch or a pull request by one commit',
  description:
    'The revision is a branch, or `refs/pr/N` of a pull request that accepts commits. The commit has the same files and no ' +
    'parents. This cannot be undone: earlier commits disappear unless another ref leads to them.',
  tags,
  authority,
  params: AtRevision,
  body: z.object({ message: z.string().max(500).optional().meta({ description: 'The message of the commit.' }) }),
  answers: { 200: z.object({ commitId: z.string() }) },
  otherAnswers: { 409: 'Other commits keep arriving, or the pull request is closed or merged.' },
});

export const committingRoutes = [preupload, createCommit, squashBranch] as const;
