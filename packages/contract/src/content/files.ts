import * as z from 'zod';
import { RepoParams } from '../primitives.ts';
import { FROM_UPSTREAM } from '../repositories/reading.ts';
import { defineRoute } from '../route.ts';

const ModelFile = RepoParams.omit({ repoType: true }).extend({ rev: z.string().min(1) });
const OtherFile = ModelFile.extend({ repoType: z.enum(['datasets', 'spaces', 'kernels']) });

const file = {
  client: { params: { rev: 'revisionAndPath' } },
  method: 'GET',
  tags: ['content'],
  authority: 'repo.content.read',
  anonymous: true,
  query: z.object({ download: z.unknown().optional() }),
  answers: { 200: z.unknown() },
  otherAnswers: {
    206: 'The range that the header `Range` asks for.',
    304: 'The caller has it: `If-None-Match` names its `ETag`.',
    412: 'The file is not the one named in `If-Match`.',
    416: 'The range lies beyond the end.',
    ...FROM_UPSTREAM,
    507: 'This hub has no room for the file of the upstream.',
  },
} as const;

const resolve = {
  ...file,
  summary: 'Download a file',
  description:
    'The path of the file follows the revision: `main/folder/file.txt`. `X-Repo-Commit` names the commit, `ETag` the ' +
    'object in git. Codes `RevisionNotFound` and `EntryNotFound`.',
} as const;
const raw = {
  ...file,
  summary: 'Download a file as it is in git',
  description: 'For a large file, the pointer.',
} as const;

export const downloadModelFile = defineRoute({
  ...resolve,
  id: 'downloadModelFile',
  path: '/{namespace}/{repo}/resolve/{rev}',
  params: ModelFile,
});

export const downloadFile = defineRoute({
  ...resolve,
  id: 'downloadFile',
  path: '/{repoType}/{namespace}/{repo}/resolve/{rev}',
  params: OtherFile,
});

export const downloadRawModelFile = defineRoute({
  ...raw,
  id: 'downloadRawModelFile',
  path: '/{namespace}/{repo}/raw/{rev}',
  params: ModelFile,
});

export const downloadRawFile = defineRoute({
  ...raw,
  id: 'downloadRawFile',
  path: '/{repoType}/{namespace}/{repo}/raw/{rev}',
  params: OtherFile,
});

export const downloadCachedFile = defineRoute({
  ...resolve,
  id: 'downloadCachedFile',
  path: '/api/resolve-cache/{repoType}/{namespace}/{repo}/{rev}',
  description:
    'The same as `resolve`, at the address that other hubs redirect to; with the id of a commit as the revision.',
  params: OtherFile.extend({ repoType: z.enum(['models', 'datasets', 'spaces']) }),
});

export const fileRoutes = [
  downloadModelFile,
  downloadFile,
  downloadRawModelFile,
  downloadRawFile,
  downloadCachedFile,
] as const;
