import * as z from 'zod';
import { defineRoute } from '../route.ts';
import { AtRevision } from './reading.ts';

export const compareRevisions = defineRoute({
  id: 'compareRevisions',
  client: { params: { rev: 'compared' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/compare/{rev}',
  summary: 'Compare two revisions',
  description:
    'As a unified diff, which `git apply` takes: `a..b` for what changed from a to b, `a...b` for what changed on b since ' +
    'both were the same. `a^` is the first parent of a: `a^..a` is what the commit a changed. At most 300 files, 5000 lines and 1 MiB of each; lines that begin with `#` say what is left out.',
  tags: ['content'],
  authority: 'repo.content.read',
  anonymous: true,
  params: AtRevision,
  query: z.object({ raw: z.unknown().optional().meta({ description: 'Accepted with any value.' }) }),
  answers: {},
  otherAnswers: { 200: 'The diff, as text.' },
});

export const comparingRoutes = [compareRevisions] as const;
