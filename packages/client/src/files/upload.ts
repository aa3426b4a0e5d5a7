import type { Hub } from '../request.ts';
import { type Commit, type CommitMessage, type CommitOperation, sendCommit } from './commit.ts';
import { type CreateHash, createHash as createPlainHash } from './hashing.ts';
import { sha256Of } from './identity.ts';
import { BATCH_FILES, sendLargeFiles } from './large-upload.ts';
import { createLimit, together } from './parallel.ts';
import { type PlacedFile, planUpload } from './plan.ts';
import type { Destination, FileRepo } from './repo-file.ts';
import { counted, type FileContent, sourceOf } from './source.ts';

export interface UploadProgress {
  /** `sending` large files, then `committing` the others. */
  readonly step: 'hashing' | 'sending' | 'committing';
  /** Of the files that change. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface UploadParams extends Hub, FileRepo, CommitMessage {
  /** The branch, `main` by default. */
  readonly branch?: string | undefined;
  /** Whether to open a pull request for the branch, which whoever reads a repository may do. */
  readonly createPullRequest?: boolean | undefined;
  /** The files by their paths in the repository. */
  readonly files?: Iterable<UploadFile> | AsyncIterable<UploadFile> | undefined;
  /** Paths to delete; that of a folder ends with a slash. */
  readonly deletions?: readonly string[] | undefined;
  /** How many requests carry files at the same time, 4 by default. */
  readonly concurrency?: number | undefined;
  /** More operations, or more bytes of files that are not large, make several commits; 25,000 and 500 MiB by default. */
  readonly maxCommit?: { readonly operations?: number | undefined; readonly bytes?: number | undefined } | undefined;
  readonly createHash?: CreateHash | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface UploadFile {
  readonly path: string;
  readonly content: FileContent;
}

export interface UploadResult {
  /** One, unless there was too much for it; none where the repository has everything already. */
  readonly commits: readonly Commit[];
  /** The head of the branch. */
  readonly commitOid: string | undefined;
  readonly pullRequestUrl: string | undefined;
  readonly uploaded: readonly string[];
  /** Files that the repository has already. */
  readonly unchanged: readonly string[];
  /** Files that `.gitignore` leaves out. */
  readonly ignored: readonly string[];
}

const CONCURRENCY = 4;
/** The hub takes as many, and twice as many bytes of lines. */
const MAX_OPERATIONS = 25_000;
const MAX_COMMIT_BYTES = 500 * 1024 * 1024;

/**
 * Uploads files as one commit, large ones by git LFS before it. Files that the repository has are not sent again, so that
 * an upload that broke off goes on where it was: large files are there, one by one, before the commit.
 *
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
      const told = source instanceof Blob ? source : counted(source, progress.committing);
      return { kind: 'file', path, source: told };
    }),
  ];
  const commits = operations.length === 0 ? [] : await commitAll(hub, at, params, operations);
  const uploaded = changing.map(({ path }) => path);
  const { unchanged, ignored, head } = plan;
  const commitOid = commits.at(-1)?.commitOid ?? head;
  return { commits, commitOid, pullRequestUrl: commits[0]?.pullRequestUrl, uploaded, unchanged, ignored };
}

/** Deletes files, and folders whose paths end with a slash. Throws a `HubApiError`: 400, 401, 403, 404, 409, 412. */
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
    all.push({ path, source, sha256: await sha256Of(counted(source, onBytes), createHash) });
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
    await together(hub.signal, (signal) => [sendLargeFiles({ ...hub, signal }, group, { at, limit, onBytes })]);
  }
}

async function commitAll(
  hub: Hub,
  at: Destination,
  { summary, description, parentCommit, maxCommit = {} }: UploadParams,
  operations: readonly CommitOperation[],
): Promise<Commit[]> {
  const groups = split(operations, maxCommit.operations ?? MAX_OPERATIONS, maxCommit.bytes ?? MAX_COMMIT_BYTES);
  const commits: Commit[] = [];
  let target = at;
  for (const [index, group] of groups.entries()) {
    const part = groups.length > 1 ? ` (part ${index + 1} of ${groups.length})` : '';
    // What somebody commits in between is noticed where the caller wants to notice it.
    const parent = parentCommit && (commits.at(-1)?.commitOid ?? parentCommit);
    commits.push(await sendCommit(hub, target, { summary: summary + part, description, parentCommit: parent }, group));
    const [, opened] = /\/discussions\/(\d+)$/.exec(commits[0]?.pullRequestUrl ?? '') ?? [];
    if (opened !== undefined) target = { ...at, branch: `refs/pr/${opened}`, createPullRequest: false };
  }
  return commits;
}

/** Returns the operations of each commit. */
function split(operations: readonly CommitOperation[], maxCount: number, maxBytes: number): CommitOperation[][] {
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
  const tell = (step: UploadProgress['step'], count: keyof typeof bytes) => (more: number) => {
    bytes[count] += more;
    onProgress?.({ step, bytes: bytes[count], totalBytes });
  };
  return {
    hashing: tell('hashing', 'hashing'),
    sending: tell('sending', 'sending'),
    committing: tell('committing', 'sending'),
  };
}
