import * as z from 'zod';
import { ObjectId, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { GitRepoParams } from './reading.ts';

const tags = ['content'];

export const RepoStorage = z
  .object({
    usedStorage: z.number().meta({ description: 'Large files and packs together, in bytes.' }),
    largeFiles: z.object({ files: z.int(), bytes: z.number() }),
    git: z
      .object({
        looseObjects: z.int().meta({ description: 'Objects of git in files of their own.' }),
        packs: z.int(),
        packedBytes: z.number(),
      })
      .meta({ description: 'As of the last look at the folder; changes since then follow within minutes.' }),
    maintenance: z.object({
      lastAt: Timestamp.optional().meta({ description: 'When the repository was last packed.' }),
      durationMs: z.int().optional(),
      nextAt: Timestamp.optional().meta({
        description: 'When the hub looks at the folder next; absent until the repository changes.',
      }),
      requestedAt: Timestamp.optional().meta({ description: 'Present until requested maintenance is done.' }),
      fault: z.string().optional().meta({ description: 'Why the last attempt failed; absent if it succeeded.' }),
      failures: z.int().meta({ description: 'After five failures the repository is left alone until it changes.' }),
    }),
  })
  .meta({ id: 'RepoStorage' });
export type RepoStorage = z.infer<typeof RepoStorage>;

export const getRepoStorage = defineRoute({
  id: 'getRepoStorage',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/storage',
  summary: 'Get the storage of a repository and the state of its maintenance',
  tags,
  authority: 'repo.write',
  params: GitRepoParams,
  answers: { 200: RepoStorage },
});

const ACCEPTED =
  'The hub packs the repository soon, and deletes the objects to which no ref has led for two weeks; ' +
  '`GET …/storage` says when it is done.';

export const maintainRepo = defineRoute({
  id: 'maintainRepo',
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/maintenance',
  summary: 'Request maintenance of a repository',
  description: ACCEPTED,
  tags,
  authority: 'site-admin',
  params: GitRepoParams,
  answers: { 202: Success },
});

export const maintainRepoById = defineRoute({
  id: 'maintainRepoById',
  method: 'POST',
  path: '/api/admin/repositories/{id}/maintenance',
  summary: 'Request maintenance of a repository by its id',
  description: `For a repository that the log names, which need not be visible to the caller. ${ACCEPTED}`,
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ id: ObjectId }),
  answers: { 202: Success },
});

export const storageRoutes = [getRepoStorage, maintainRepo, maintainRepoById] as const;
