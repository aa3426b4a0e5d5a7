import * as z from 'zod';
import { ObjectId, queryInteger, RepoParams, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { LFS_MEDIA_TYPE, LfsError, OfModel, OfOthers } from './lfs.ts';

/** Longer paths cannot be locked. */
export const MAX_LOCK_PATH_BYTES = 1024;
/** The maximum number of locks in one response. */
export const MAX_LISTED_LOCKS = 100;

const Lock = z
  .object({
    id: ObjectId,
    path: z.string(),
    locked_at: Timestamp,
    owner: z.object({ name: z.string() }).meta({ description: 'The user who locked the path.' }),
  })
  .meta({ id: 'LfsLock' });

/** A lock protects its path on all refs. */
const Ref = z
  .object({ name: z.string().max(1024) })
  .nullish()
  .meta({ description: 'Ignored: a lock holds for all branches.' });

const Cursor = z.string().max(2048);
const NextCursor = z.string().optional().meta({ description: 'The start of the next page; absent on the last one.' });

/** The body of a refused lock; `lock` is the one that is there. */
const LockError = LfsError.extend({ lock: Lock.optional() }).meta({ id: 'LfsLockError' });

const media = { type: LFS_MEDIA_TYPE, error: LfsError };

const lock = {
  method: 'POST',
  tags: ['large-files'],
  description:
    'As `git lfs lock` does. Nobody else can then commit a change of the path, by push or by API, until it is unlocked. ' +
    'The path may be new.',
  authority: 'repo.write',
  body: z.object({ path: z.string().max(4096), ref: Ref }),
  media: { ...media, error: LockError },
  answers: { 201: z.object({ lock: Lock }) },
  otherAnswers: {
    409: 'The path is locked already: `lock` says by whom. Or the repository has too many locks.',
    422: 'The path is not valid.',
  },
} as const;

export const lockFile = defineRoute({
  ...lock,
  id: 'lockFile',
  summary: 'Lock a path of a model',
  path: '/{namespace}/{repo}.git/info/lfs/locks',
  params: OfModel,
});

export const lockFileOfType = defineRoute({
  ...lock,
  id: 'lockFileOfType',
  summary: 'Lock a path of a dataset, Space or kernel',
  path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks',
  params: OfOthers,
});

const list = {
  method: 'GET',
  tags: ['large-files'],
  description: 'As `git lfs locks` does, the oldest first.',
  authority: 'repo.content.read',
  query: z.object({
    path: z.string().max(4096).optional().meta({ description: 'Only the lock of this path.' }),
    id: z.string().max(64).optional().meta({ description: 'Only the lock with this id.' }),
    cursor: Cursor.optional().meta({ description: 'The start of the page: `next_cursor` of the previous one.' }),
    limit: queryInteger({ min: 0, max: 1_000_000_000, default: 0 }).meta({
      description: `At most ${MAX_LISTED_LOCKS} locks are returned; 0 stands for that many.`,
    }),
    refspec: z.string().max(1024).optional().meta({ description: 'Ignored: a lock holds for all branches.' }),
  }),
  media,
  answers: { 200: z.object({ locks: z.array(Lock), next_cursor: NextCursor }) },
} as const;

export const listLocks = defineRoute({
  ...list,
  id: 'listLocks',
  summary: 'List the locked paths of a model',
  path: '/{namespace}/{repo}.git/info/lfs/locks',
  params: OfModel,
});

export const listLocksOfType = defineRoute({
  ...list,
  id: 'listLocksOfType',
  summary: 'List the locked paths of a dataset, Space or kernel',
  path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks',
  params: OfOthers,
});

const verify = {
  method: 'POST',
  tags: ['large-files'],
  description: 'Tells the locks of the caller from those of others, as git-lfs asks before each push.',
  authority: 'repo.content.read',
  body: z.object({ ref: Ref, cursor: Cursor.optional(), limit: z.int().min(0).optional() }),
  media,
  answers: { 200: z.object({ ours: z.array(Lock), theirs: z.array(Lock), next_cursor: NextCursor }) },
} as const;

export const verifyLocks = defineRoute({
  ...verify,
  id: 'verifyLocks',
  summary: 'List the locked paths of a model by whose they are',
  path: '/{namespace}/{repo}.git/info/lfs/locks/verify',
  params: OfModel,
});

export const verifyLocksOfType = defineRoute({
  ...verify,
  id: 'verifyLocksOfType',
  summary: 'List the locked paths of a dataset, Space or kernel by whose they are',
  path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks/verify',
  params: OfOthers,
});

const unlock = {
  method: 'POST',
  tags: ['large-files'],
  description: 'As `git lfs unlock` does. The locks of others need `force` and the role admin on the repository.',
  authority: 'repo.write',
  body: z.object({ force: z.boolean().default(false), ref: Ref }),
  media,
  answers: { 200: z.object({ lock: Lock }) },
} as const;

const LockId = RepoParams.shape.repo.meta({ description: 'The id of the lock.' });

export const unlockFile = defineRoute({
  ...unlock,
  id: 'unlockFile',
  summary: 'Unlock a path of a model',
  path: '/{namespace}/{repo}.git/info/lfs/locks/{lockId}/unlock',
  params: OfModel.extend({ lockId: LockId }),
});

export const unlockFileOfType = defineRoute({
  ...unlock,
  id: 'unlockFileOfType',
  summary: 'Unlock a path of a dataset, Space or kernel',
  path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks/{lockId}/unlock',
  params: OfOthers.extend({ lockId: LockId }),
});

export const lockRoutes = [
  lockFile,
  lockFileOfType,
  listLocks,
  listLocksOfType,
  verifyLocks,
  verifyLocksOfType,
  unlockFile,
  unlockFileOfType,
] as const;
