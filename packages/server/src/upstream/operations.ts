import * as files from '@moonbase/contract/content/files';
import { Flag, getPathsInfo, listTree } from '@moonbase/contract/content/reading';
import { RepoTypeSegment } from '@moonbase/contract/primitives';
import { getRepo, getRepoAtRevision, listRefs } from '@moonbase/contract/repositories/reading';
import { z } from 'zod';
import type { FailedRequest } from '../platform/http/route.ts';
import type { UpstreamName } from './facts/repos.ts';

/** The parameters of a path that names a repository. */
const Params = z.object({
  repoType: RepoTypeSegment.default('models'),
  namespace: z.string(),
  repo: z.string(),
  rev: z.string().default('main'),
});

const TYPES = {
  models: 'model',
  datasets: 'dataset',
  spaces: 'space',
  kernels: undefined,
  buckets: undefined,
} as const;

const NAME = /^[A-Za-z0-9][\w.-]{0,95}$/;

/** Returns the repository that a request names; undefined if the upstream can have none of the type or name. */
export function nameIn({ params }: FailedRequest): (UpstreamName & { readonly revision: string }) | undefined {
  const { data } = Params.safeParse(params);
  const type = data && TYPES[data.repoType];
  if (!type || !NAME.test(data.namespace) || !NAME.test(data.repo)) return undefined;
  return { type, name: `${data.namespace}/${data.repo}`, revision: data.rev };
}

/** The number of parts of a URL before the revision. */
const API_PARTS = 5;
const MODEL_FILE_PARTS = 3;

/** What an operation reads, and how many parts of its URL come before the revision. */
export type Reading =
  | { readonly what: 'info' | 'refs' }
  | { readonly what: 'tree' | 'paths'; readonly skipped: number }
  | { readonly what: 'file'; readonly skipped: number; readonly raw: boolean };

/** The operations that read from the upstream; everything else ends at this hub. */
export const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  [getRepo.id, { what: 'info' }],
  [getRepoAtRevision.id, { what: 'info' }],
  [listRefs.id, { what: 'refs' }],
  [listTree.id, { what: 'tree', skipped: API_PARTS }],
  [getPathsInfo.id, { what: 'paths', skipped: API_PARTS }],
  [files.downloadModelFile.id, { what: 'file', skipped: MODEL_FILE_PARTS, raw: false }],
  [files.downloadRawModelFile.id, { what: 'file', skipped: MODEL_FILE_PARTS, raw: true }],
  [files.downloadFile.id, { what: 'file', skipped: MODEL_FILE_PARTS + 1, raw: false }],
  [files.downloadRawFile.id, { what: 'file', skipped: MODEL_FILE_PARTS + 1, raw: true }],
  [files.downloadCachedFile.id, { what: 'file', skipped: API_PARTS, raw: false }],
]);

const Paths = z.object({ paths: z.array(z.string()), expand: Flag.optional() });

const MAX_PATH = 1000;

/** Returns whether a commit can have something at a path, so that the upstream may be asked. */
export const isPath = (path: string): boolean => path !== '' && path.length <= MAX_PATH && !/\p{Cc}/u.test(path);

const MAX_REVISION = 255;

/** Returns whether a text can be a revision. */
export const isRevision = (text: string): boolean =>
  text !== '' && text.length <= MAX_REVISION && !/\p{Cc}/u.test(text);

/** Returns the paths that the body of a request asks for, each once, without those that no commit can have. */
export function pathsIn({ body }: FailedRequest): { paths: string[]; expand: boolean } {
  const { paths, expand = false } = Paths.parse(body);
  const plain = paths.map((path) => path.replace(/^\/+|\/+$/g, '')).filter(isPath);
  return { paths: [...new Set(plain)], expand };
}

/** Returns those parameters of the request's query that are passed on, in one order, as the query of a URL. */
export function queryOf({ caller }: FailedRequest, names: readonly string[]): string {
  const given = new URL(caller.url).searchParams;
  const passed = new URLSearchParams();
  for (const name of names) for (const value of given.getAll(name).sort()) passed.append(name, value);
  const text = passed.toString();
  return text === '' ? '' : `?${text}`;
}
