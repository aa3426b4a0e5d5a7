import * as z from 'zod';
import {
  hasAtMostOneVisibility,
  NOT_BOTH,
  Private,
  ResourceGroupId,
  Visibility,
} from '../repositories/repositories.ts';
import { NEW_SPACE } from '../repositories/space-settings.ts';
import { defineRoute } from '../route.ts';
import { GitRepoParams } from './reading.ts';

export const duplicateRepo = defineRoute({
  id: 'duplicateRepo',
  client: { body: { repository: 'to' } },
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/duplicate',
  summary: 'Duplicate a repository',
  description:
    'Creates a repository of the same type with the branches, tags, commits and large files of this one, but without its ' +
    'pull requests. No bytes of large files are copied; they count for the owner of the new repository as well. ' +
    'A new Space has the variables of this one, and those of the request; its secrets and volumes are those of the request alone.',
  tags: ['content'],
  authority: 'repo.write',
  params: GitRepoParams,
  body: z
    .object({
      repository: z.string().meta({ description: 'namespace/name' }),
      private: Private.meta({
        description: 'Defaults to the value of this repository. Cannot be combined with `visibility`.',
      }),
      visibility: Visibility.optional(),
      resourceGroupId: ResourceGroupId.nullable().optional(),
      ...NEW_SPACE,
    })
    .refine(hasAtMostOneVisibility, NOT_BOTH),
  answers: { 200: z.object({ url: z.url() }) },
  otherAnswers: { 501: 'Hardware for a Space: this hub does not run them.' },
});

export const startingRoutes = [duplicateRepo] as const;
