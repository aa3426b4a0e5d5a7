import type { Hub } from '../request.ts';
import { type Commit, type CommitMessage, type CommitOperation, sendCommit } from './commit.ts';
import { type CreateHash, createHash as createPlainHash } from './hashing.ts';
import { sha256Of } from './identity.ts';
import { BATCH_FILES, sendLargeFiles } from './large-upload.ts';
import { createLimit, runAbortable } from './parallel.ts';
import { type PlacedFile, planUpload } from './plan.ts';
import type { Destination, FileRepo } from './repo-file.ts';
import { countingSource, type FileContent, sourceOf } from './source.ts';

export interface UploadProgress {
  /** The current step; large files are sent before the others are committed. */
  readonly step: 'hashing' | 'sending' | 'committing';
  /** The number of bytes in files that change. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface UploadParams extends Hub, FileRepo, CommitMessage {
  /** The branch, `main` by default. */
  readonly branch?: string | undefined;
  /** Whether to open a pull request for the branch, which every reader of a repository may do. */
  readonly createPullRequest?: boolean | undefined;
  /** The files to upload, with their paths in the repository. */
  readonly files?: Iterable<UploadFile> | AsyncIterable<UploadFile> | undefined;
  /** Paths to delete; the path of a folder ends with a slash. */
  readonly deletions?: readonly string[] | undefined;
  /** The maximum number of concurrent requests that carry files, 4 by default. */
  readonly concurrency?: number | undefined;
  /** The limits of a commit; a larger upload makes several commits. 25,000 operations and 500 MiB by default. */
  readonly maxCommit?: { readonly operations?: number | undefined; readonly bytes?: number | undefined } | undefined;
  readonly createHash?: CreateHash | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface UploadFile {
  readonly path: string;
  readonly content: FileContent;
}

export interface UploadResult {
  /** Usually one; several if the limits require it; none if the repository already has everything. */
  readonly commits: readonly Commit[];
  /** The head of the branch. */
  readonly commitOid: string | undefined;
  readonly pullRequestUrl: string | undefined;
  readonly uploaded: readonly string[];
  /** Files that the repository already has. */
  readonly unchanged: readonly string[];
  /** Files excluded by `.gitignore`. */
  readonly ignored: readonly string[];
}

const CONCURRENCY = 4;
/** The default limits of a commit: the hub accepts as many operations, and twice as many bytes. */
const MAX_OPERATIONS = 25_000;
const MAX_COMMIT_BYTES = 500 * 1024 * 1024;

/**
 * Uploads files as one commit, after sending the large ones by git LFS. Files that the repository has are not sent
 * again, so an interrupted upload continues where it stopped: large files are stored one by one before the commit.
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 412, 413, 422, 507.
 */
export async function uploadFiles(params: UploadParams): Promise<UploadResult> {
  const {
    type,
    repo,
    branch = 'main',
    createPullRequest,
    deletions = [],
    createHash = createPlainHash,
    onProgress,
  } = params;
  const at = { type, repo, branch, createPullRequest };
  const hub = hubOf(params);
  const files: PlacedFile[] = [];
  for await (const { path, content } of params.files ?? []) files.push({ path, source: await sourceOf(content) });
  const plan = await planUpload(hub, at, files, createHash);
  const changing = [...plan.large, ...plan.regular];
  const progress = createProgress(changing, onProgress);
  const large = await hashed(plan.large, createHash, progress.hashing);
  await sendAll(hub, at, large, params.concurrency ?? CONCURRENCY, progress.sending);
  const operations: CommitOperation[] = [
    ...deletions.map((path): CommitOperation => ({ kind: 'deletion', path })),
    ...large.map(({ path, sha256, source }): CommitOperation => {
      return { kind: 'large-file', path, sha256, size: source.size };
    }),
    ...plan.regular.map(({ path, source }): CommitOperation => {
      const reporting = source instanceof Blob ? source : countingSource(source, progress.committing);
      return { kind: 'file', path, source: reporting };
    }),
  ];
  const commits = operations.length === 0 ? [] : await commitAll(hub, at, params, operations);
  const uploaded = changing.map(({ path }) => path);
  const { unchanged, ignored, head } = plan;
  const commitOid = commits.at(-1)?.commitOid ?? head;
  return { commits, commitOid, pullRequestUrl: commits[0]?.pullRequestUrl, uploaded, unchanged, ignored };
}

/** Deletes files, and folders, whose paths end with a slash. Throws a `HubApiError`: 400, 401, 403, 404, 409, 412. */
export function deleteFiles(
  params: Hub & FileRepo & CommitMessage & Partial<Destination> & { readonly paths: readonly string[] },
): Promise<Commit> {
  const { type, repo, branch = 'main', createPullRequest, paths, summary, description, parentCommit } = params;
  const operations = paths.map((path): CommitOperation => ({ kind: 'deletion', path }));
  const at = { type, repo, branch, createPullRequest };
  return sendCommit(hubOf(params), at, { summary, description, parentCommit }, operations);
}

const hubOf = ({ hubUrl, accessToken, fetch, signal, retry }: Hub): Hub => ({
  ...{ hubUrl, accessToken, fetch, signal, retry },
});

type HashedFile = PlacedFile & { readonly sha256: string };

async function hashed(
  files: readonly PlacedFile[],
  createHash: CreateHash,
  onBytes: (bytes: number) => void,
): Promise<HashedFile[]> {
  const all: HashedFile[] = [];
  for (const { path, source } of files)
    all.push({ path, source, sha256: await sha256Of(countingSource(source, onBytes), createHash) });
  return all;
}

async function sendAll(
  hub: Hub,
  at: Destination,
  files: readonly HashedFile[],
  concurrency: number,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const limit = createLimit(concurrency);
  for (let from = 0; from < files.length; from += BATCH_FILES) {
    const group = files.slice(from, from + BATCH_FILES);
    await runAbortable(hub.signal, (signal) => [sendLargeFiles({ ...hub, signal }, group, { at, limit, onBytes })]);
  }
}

async function commitAll(
  hub: Hub,
  at: Destination,
  { summary, description, parentCommit, maxCommit = {} }: UploadParams,
  operations: readonly CommitOperation[],
): Promise<Commit[]> {
  const groups = splitByLimits(operations, maxCommit.operations ?? MAX_OPERATIONS, maxCommit.bytes ?? MAX_COMMIT_BYTES);
  const commits: Commit[] = [];
  let target = at;
  for (const [index, group] of groups.entries()) {
    const part = groups.length > 1 ? ` (part ${index + 1} of ${groups.length})` : '';
    // A concurrent commit by somebody else fails the upload only if the caller gave a parent commit.
    const parent = parentCommit && (commits.at(-1)?.commitOid ?? parentCommit);
    commits.push(await sendCommit(hub, target, { summary: summary + part, description, parentCommit: parent }, group));
    const [, opened] = /\/discussions\/(\d+)$/.exec(commits[0]?.pullRequestUrl ?? '') ?? [];
    if (opened !== undefined) target = { ...at, branch: `refs/pr/${opened}`, createPullRequest: false };
  }
  return commits;
}

/** Splits operations into commits within the limits. */
function splitByLimits(
  operations: readonly CommitOperation[],
  maxCount: number,
  maxBytes: number,
): CommitOperation[][] {
  const groups: CommitOperation[][] = [];
  let bytes = 0;
  for (const operation of operations) {
    const size = operation.kind === 'file' ? operation.source.size : 0;
    const group = groups.at(-1);
    if (group && group.length < maxCount && bytes + size <= maxBytes) group.push(operation);
    else {
      groups.push([operation]);
      bytes = 0;
    }
    bytes += size;
  }
  return groups;
}

function createProgress(files: readonly PlacedFile[], onProgress: UploadParams['onProgress']) {
  const totalBytes = files.reduce((sum, { source }) => sum + source.size, 0);
  const bytes = { hashing: 0, sending: 0 };
  const reporter = (step: UploadProgress['step'], count: keyof typeof bytes) => (more: number) => {
    bytes[count] += more;
    onProgress?.({ step, bytes: bytes[count], totalBytes });
  };
  return {
    hashing: reporter('hashing', 'hashing'),
    sending: reporter('sending', 'sending'),
    committing: reporter('committing', 'sending'),
  };
}
