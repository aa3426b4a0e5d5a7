import * as z from 'zod';
import { Empty, queryInteger, RepoParams, RepoType, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { OfOthers, Sha256 } from './lfs.ts';

const LargeFile = z
  .object({
    fileOid: Sha256,
    oid: Sha256,
    size: z.int(),
    pushedAt: Timestamp,
    filename: z.string().meta({ description: 'The path of the first commit, or the SHA-256 if that is unknown.' }),
    ref: z.string().optional(),
    pusher: z.object({ type: z.literal('user'), name: z.string() }).optional(),
  })
  .meta({ id: 'LargeFile' });

export const listLargeFiles = defineRoute({
  id: 'listLargeFiles',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/lfs-files',
  summary: 'List the large files of a repository',
  description: 'Last pushed first.',
  tags: ['large-files'],
  authority: 'repo.content.read',
  params: OfOthers,
  query: z.object({
    cursor: z.string().max(2048).optional().meta({ description: 'The start of the page; from the Link header.' }),
    limit: queryInteger({ min: 1, max: 1000, default: 1000 }),
  }),
  answers: { 200: z.array(LargeFile) },
});

const RewriteHistory = z.enum(['true', 'false', 'True', 'False', '1', '0']).optional();

export const deleteLargeFile = defineRoute({
  id: 'deleteLargeFile',
  method: 'DELETE',
  path: '/api/{repoType}/{namespace}/{repo}/lfs-files/{sha}',
  summary: 'Delete a large file of a repository',
  description:
    'The file can no longer be downloaded from this repository. With `rewriteHistory` it is also removed from ' +
    'every commit: all refs that led to it move to new commits. Otherwise commits with the file stay unchanged.',
  tags: ['large-files'],
  authority: 'repo.write',
  params: OfOthers.extend({ sha: Sha256 }),
  query: z.object({
    rewriteHistory: RewriteHistory.meta({
      description: 'Whether the file is also removed from commits (default: no).',
    }),
  }),
  answers: { 200: Empty },
});

export const deleteLargeFiles = defineRoute({
  id: 'deleteLargeFiles',
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/lfs-files/batch',
  summary: 'Delete large files of a repository',
  description:
    'At most 1000. Unless `rewriteHistory` is false, the files are also removed from every commit, and all refs that led to ' +
    'them move to new commits. Unknown files are ignored.',
  tags: ['large-files'],
  authority: 'repo.write',
  params: OfOthers,
  body: z.object({
    deletions: z.object({
      sha: z.array(Sha256).min(1).max(1000).meta({ description: 'The values `fileOid` of the list of large files.' }),
      rewriteHistory: z.boolean().default(true),
    }),
  }),
  answers: { 200: Empty },
});

export const duplicateLargeFiles = defineRoute({
  id: 'duplicateLargeFiles',
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/lfs-files/duplicate',
  summary: 'Copy large files from a repository or a bucket to a repository',
  description:
    'Needs the right to read the files of the first and to write to the second, whose owner has to have room. No bytes are ' +
    'copied; a commit then gives the files their paths. A bucket takes files by lines `copyFile` of `changeBucketFiles`.',
  tags: ['large-files'],
  authority: 'repo.write',
  params: RepoParams,
  body: z.object({
    target: z.object({ type: RepoType.exclude(['bucket']), name: z.string().meta({ description: 'namespace/name' }) }),
    files: z
      .array(
        z.object({
          sha256: Sha256,
          xetHash: z
            .string()
            .max(64)
            .optional()
            .meta({ description: 'Needed for files of a bucket, as its lists have it.' }),
          filename: z.string().max(1000).optional(),
        }),
      )
      .min(1)
      .max(1000),
  }),
  answers: {
    200: z.object({
      success: z.boolean(),
      processed: z.int(),
      succeeded: z.int(),
      failed: z.array(z.object({ xetHash: z.string().optional(), sha256: Sha256, error: z.string() })),
    }),
  },
});

export const largeFileRoutes = [listLargeFiles, deleteLargeFile, deleteLargeFiles, duplicateLargeFiles] as const;
