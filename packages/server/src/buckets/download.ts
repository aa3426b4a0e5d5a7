import {
  acceptsFileInfo,
  dispositionOf,
  fileInfo,
  type LargeFiles,
  type XetFacts,
  xetHeaders,
} from '../content/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { HubError, notFound } from '../platform/http/errors.ts';
import { isKnown } from '../platform/http/etag.ts';
import { partFor } from '../platform/http/ranges/byte-range.ts';
import { type RepoName, readRepoFiles } from '../repositories/index.ts';
import { pathFault } from './paths.ts';
import { filesAt } from './store.ts';

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'serve'>;
  readonly linksTo: XetFacts['linksTo'];
}

interface DownloadRequest {
  readonly path: string;
  readonly download: boolean;
  readonly header: (name: string) => string | undefined;
  /** Whether only the headers are requested. */
  readonly headOnly: boolean;
}

/** The type must never be one that a browser would run on the hub's own origin. */
const CONTENT_TYPE = 'application/octet-stream';

/** Serves a file without bytes, which no storage has. */
function serveEmpty(
  { header }: DownloadRequest,
  { etag, headers }: { readonly etag: string; readonly headers: Readonly<Record<string, string>> },
): Answer<never> {
  const ifMatch = header('if-match');
  if (ifMatch !== undefined && !isKnown(etag, ifMatch)) throw new HubError(412, 'The file does not match `If-Match`');
  if (isKnown(etag, header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
  const part = partFor(header, { etag, size: 0 });
  return rawAnswer('', { headers: { ...headers, ...(part !== 'none' && part.headers), 'content-type': CONTENT_TYPE } });
}

/** The verb that serves the bytes of a file of a bucket. */
export const createBucketDownload =
  ({ read, largeFiles, linksTo }: Dependencies) =>
  async (caller: ReadingCaller, name: RepoName, request: DownloadRequest): Promise<Answer<never>> => {
    const repo = await readRepoFiles(read, caller, name);
    const { path, header, headOnly } = request;
    const [file] = pathFault(path) === undefined ? await filesAt(read, repo.id, [path]) : [];
    if (!file) throw notFound(`Entry not found: ${path}`, 'EntryNotFound');
    const { sha256, size, xet_hash: hash } = file;
    const linked = { hash, sha256, size, links: linksTo(caller, repo, undefined, hash) };
    const headers = {
      ...xetHeaders(linked),
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Cookie, Accept',
    };
    if (!headOnly && acceptsFileInfo(header('accept'))) {
      const info = fileInfo(linked);
      return rawAnswer(info.body, { headers: { ...headers, ...info.headers } });
    }
    const contentDisposition = dispositionOf(path, request.download);
    if (size === 0) {
      const etag = `"${sha256}"`;
      const named = { 'x-linked-etag': etag, 'x-linked-size': '0', 'content-disposition': contentDisposition };
      return serveEmpty(request, { etag, headers: { ...headers, etag, 'accept-ranges': 'bytes', ...named } });
    }
    // Clients of Xet read the size of a file from the response to HEAD, wherever the file is.
    const blob = { repoId: repo.id, sha256, size, header, headOnly, neverRedirect: headOnly };
    return largeFiles.serve(read, { ...blob, headers, contentDisposition, contentType: CONTENT_TYPE });
  };
