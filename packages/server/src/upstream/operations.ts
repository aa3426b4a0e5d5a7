import * as files from '@moonbase/contract/content/files';
import { Flag, getPathsInfo, listTree } from '@moonbase/contract/content/reading';
import { RepoTypeSegment } from '@moonbase/contract/primitives';
import { checkAccess, getRepo, getRepoAtRevision, listRefs } from '@moonbase/contract/repositories/reading';
import * as z from 'zod';
import type { FailedRequest } from '../platform/http/route.ts';
import type { UpstreamName } from './facts/checking.ts';
import { isNamePart, isPath } from './facts/forms.ts';

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

/** Returns the repository that a request names; undefined if the upstream can have none of the type or name. */
export function nameIn({ params }: FailedRequest): (UpstreamName & { readonly revision: string }) | undefined {
  const { data } = Params.safeParse(params);
  const type = data && TYPES[data.repoType];
  if (!type || !isNamePart(data.namespace) || !isNamePart(data.repo)) return undefined;
  return { type, name: `${data.namespace}/${data.repo}`, revision: data.rev };
}

/** The number of parts of a URL before the revision. */
const API_PARTS = 5;
const MODEL_FILE_PARTS = 3;

/** What an operation reads, and how many parts of its URL come before the revision. */
export type Reading =
  | { readonly what: 'info' | 'refs' | 'access' }
  | { readonly what: 'tree' | 'paths'; readonly skipped: number }
  | { readonly what: 'file'; readonly skipped: number; readonly raw: boolean };

/** The operations that read from the upstream; everything else ends at this hub. */
export const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  [getRepo.id, { what: 'info' }],
  [getRepoAtRevision.id, { what: 'info' }],
  [listRefs.id, { what: 'refs' }],
  [checkAccess.id, { what: 'access' }],
  [listTree.id, { what: 'tree', skipped: API_PARTS }],
  [getPathsInfo.id, { what: 'paths', skipped: API_PARTS }],
  [files.downloadModelFile.id, { what: 'file', skipped: MODEL_FILE_PARTS, raw: false }],
  [files.downloadRawModelFile.id, { what: 'file', skipped: MODEL_FILE_PARTS, raw: true }],
  [files.downloadFile.id, { what: 'file', skipped: MODEL_FILE_PARTS + 1, raw: false }],
  [files.downloadRawFile.id, { what: 'file', skipped: MODEL_FILE_PARTS + 1, raw: true }],
  [files.downloadCachedFile.id, { what: 'file', skipped: API_PARTS, raw: false }],
]);

const Paths = z.object({ paths: z.array(z.string()), expand: Flag.optional() });

/** Returns the paths that the body of a request asks for, each once, without those that no commit can have. */
export function pathsIn({ body }: FailedRequest): { paths: string[]; expand: boolean } {
  const { paths, expand = false } = Paths.parse(body);
  const plain = paths.map((path) => path.replace(/^\/+|\/+$/g, '')).filter(isPath);
  return { paths: [...new Set(plain)], expand };
}

/** Returns whether a request for refs asks for those of pull requests. */
export const includesPullRequests = ({ query }: FailedRequest): boolean =>
  z.object({ include_prs: z.literal(true) }).safeParse(query).success;

/** Returns those parameters of the request's query that are passed on, in one order, as the query of a URL. */
export function queryOf({ caller }: FailedRequest, names: readonly string[]): string {
  const given = new URL(caller.url).searchParams;
  const passed = new URLSearchParams();
  for (const name of names) for (const value of given.getAll(name).sort()) passed.append(name, value);
  const text = passed.toString();
  return text === '' ? '' : `?${text}`;
}
