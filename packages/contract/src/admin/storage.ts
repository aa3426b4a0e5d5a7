import * as z from 'zod';
import { ObjectId, RepoType, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const Amount = z.object({ files: z.int(), bytes: z.number() });

/** Large files that no repository has any more, by the repository that had them last. */
const CollectedFiles = z
  .object({
    owner: z.string().optional().meta({ description: 'Absent if the account no longer exists.' }),
    repository: z
      .object({
        id: ObjectId,
        type: RepoType.optional(),
        name: z
          .string()
          .optional()
          .meta({ description: 'Present if the repository exists and the caller may read it.' }),
      })
      .optional(),
    due: Amount.meta({ description: 'What goes now.' }),
    waiting: Amount.meta({ description: 'What goes later.' }),
    nextAt: Timestamp.optional().meta({ description: 'When the first of the waiting files goes.' }),
    lastAt: Timestamp.optional().meta({ description: 'When the last of them goes.' }),
  })
  .meta({ id: 'CollectedFiles' });

export const StorageCollection = z
  .object({
    dryRun: z.boolean(),
    graceDays: z.number().meta({ description: 'How long files stay after the last repository has lost them.' }),
    due: Amount,
    waiting: Amount,
    repositories: z.array(CollectedFiles).meta({ description: 'The 1,000 with the most bytes.' }),
  })
  .meta({ id: 'StorageCollection' });
export type StorageCollection = z.infer<typeof StorageCollection>;

export const collectStorage = defineRoute({
  id: 'collectStorage',
  method: 'POST',
  path: '/api/admin/storage/collect',
  summary: 'Delete large files that no repository has had for the grace period',
  description:
    'The hub does so by itself within the hour. With `dryRun`, nothing changes; otherwise the bytes of what is `due` are ' +
    'deleted within minutes.',
  tags: ['admin'],
  authority: 'site-admin',
  body: z.object({ dryRun: z.boolean() }),
  answers: { 200: StorageCollection },
});
