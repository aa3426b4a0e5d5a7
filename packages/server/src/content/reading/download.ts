import { type Readable, Transform } from 'node:stream';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { findEntry } from '../../platform/git/tree-walk.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { isKnown } from '../../platform/http/etag.ts';
import { partFor } from '../../platform/http/ranges/byte-range.ts';
import { type RepoName, readRepo, requireFiles } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { ReadBlobFacts } from './blob-facts.ts';
import { entryNotFound } from './entry-not-found.ts';
import { fileHeaders } from './file-headers.ts';
import type { Revisions } from './revisions.ts';
import { revisionPathsIn } from './url-tail.ts';
import { acceptsFileInfo, fileInfo, type XetFacts, xetHeaders } from './xet-facts.ts';

/** A served file, reported for download counts. */
export interface FileDownload {
  readonly repoId: string;
  readonly address: string;
  readonly path: string;
  /** Whether the client asks for its download to be counted. */
  readonly isMarked: boolean;
}

export interface DownloadRequest {
  /** The number of URL parts before the revision. */
  readonly skipped: number;
  readonly download: boolean;
  /** Whether the pointer of a large file is requested instead of the file. */
  readonly raw: boolean;
  readonly header: (name: string) => string | undefined;
  /** Whether only the headers are requested. */
  readonly headOnly: boolean;
}

/** Smaller files are read in one piece, most of them from the cache of objects. */
const MAX_WHOLE_BYTES = 256 * 1024;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly factsOf: ReadBlobFacts;
  readonly largeFiles: Pick<LargeFiles, 'serve'>;
  readonly xet: XetFacts;
  readonly onDownload: (download: FileDownload) => void;
}

/** Returns a stream that passes on the bytes from `first` to `last` only. */
function slice(first: number, last: number): Transform {
  let offset = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const [from, to] = [Math.max(first - offset, 0), Math.min(last + 1 - offset, chunk.length)];
      offset += chunk.length;
      done(null, from < to ? chunk.subarray(from, to) : undefined);
    },
  });
}

interface BlobPart {
  readonly id: string;
  /** The bytes of the blob. */
  readonly size: number;
  /** Undefined means all of them. */
  readonly range: ByteRange | undefined;
}

async function bodyOf(repository: GitRepository, { id, size, range }: BlobPart): Promise<Uint8Array | Readable> {
  if (size <= MAX_WHOLE_BYTES) {
    const { body } = await repository.read(id);
    return range ? body.subarray(range.first, range.last + 1) : body;
  }
  const { body } = await repository.stream(id);
  if (!range) return body;
  const part = slice(range.first, range.last);
  body.once('error', (error) => part.destroy(error));
  part.once('close', () => body.destroy());
  return body.pipe(part);
}

const CARD = 'README.md';

/** The verb that serves the bytes of a file. */
export function createDownload({ read, objects, revisions, factsOf, largeFiles, xet, onDownload }: Dependencies) {
  return async (caller: ReadingCaller, name: RepoName, request: DownloadRequest): Promise<Answer<never>> => {
    const repo = await readRepo(read, caller, name);
    const at = await revisions.resolve(repo, revisionPathsIn(caller.url.slice(caller.baseUrl.length), request.skipped));
    // Everybody who may read about a gated repository sees its card.
    if (at.path !== CARD) await requireFiles(read, caller, repo);
    const repository = objects.open(repo.id);
    const { tree } = await repository.readCommit(at.commit);
    const entry = at.path === '' ? undefined : await findEntry(repository, tree, at.path);
    if (!entry || isFolder(entry) || isModule(entry)) throw entryNotFound(at);
    const headers = fileHeaders(at, entry.id, request.download);
    const { size, pointer } = await factsOf(repository, entry.id);
    if (!request.headOnly) {
      const isMarked = request.header('x-hf-download-counter') !== undefined;
      onDownload({ repoId: repo.id, address: caller.address, path: at.path, isMarked });
    }
    if (pointer && !request.raw) {
      await requireFiles(read, caller, repo);
      const { 'content-disposition': contentDisposition, 'content-type': _, etag: __, ...plain } = headers;
      const { header, headOnly } = request;
      const hash = (await xet.hashesOf(repo.id, [pointer.sha256])).get(pointer.sha256);
      const linked =
        hash === undefined ? undefined : { hash, ...pointer, links: xet.linksTo(caller, repo, at.commit, hash) };
      const others = { ...plain, ...(linked && { ...xetHeaders(linked), vary: 'Authorization, Cookie, Accept' }) };
      if (linked && !headOnly && acceptsFileInfo(header('accept'))) {
        const info = fileInfo(linked);
        return rawAnswer(info.body, { headers: { ...others, ...info.headers } });
      }
      const blobRequest = { repoId: repo.id, ...pointer, header, headOnly, contentDisposition, headers: others };
      return largeFiles.serve(read, { ...blobRequest, contentType: 'application/octet-stream' });
    }
    const { etag } = headers;
    if (isKnown(etag, request.header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
    const part = partFor(request.header, { etag, size });
    if (part === 'none')
      return rawAnswer('', { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } });
    const isEmpty = request.headOnly || part.length === 0;
    const body = isEmpty ? '' : await bodyOf(repository, { id: entry.id, size, range: part.range });
    return rawAnswer(body, { status: part.status, headers: { ...headers, ...part.headers } });
  };
}
