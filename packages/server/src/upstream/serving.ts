import { Readable } from 'node:stream';
import { dispositionOf, entryNotFound, type ResolvedPath } from '../content/index.ts';
import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import { partFor } from '../platform/http/byte-range.ts';
import { HubError } from '../platform/http/errors.ts';
import { isKnown } from '../platform/http/etag.ts';
import type { FailedRequest } from '../platform/http/route.ts';
import type { AtCommit, UpstreamAnswers } from './facts/answers.ts';
import type { Entry } from './facts/entry.ts';
import type { FetchFiles, WantedFile } from './files/fetching.ts';
import { isPath } from './operations.ts';

/** A connection that accepts no byte for this long is closed. */
const MAX_STALL_MS = 120_000;
const WEB_PREFIX = { model: '', dataset: 'datasets/', space: 'spaces/' } as const;

interface Dependencies {
  readonly answers: UpstreamAnswers;
  readonly files: FetchFiles;
  readonly onServed: (bytes: number) => void;
}

/** Returns the headers of a file: those that the hub's own files have (C§4.1), without any that lead to the upstream. */
function headersOf(at: ResolvedPath, { id, size, isLarge, download }: FileOfCommit) {
  return {
    'x-repo-commit': at.commit,
    etag: `"${id}"`,
    'accept-ranges': 'bytes',
    ...(isLarge && { 'x-linked-etag': `"${id}"`, 'x-linked-size': String(size) }),
    // The type must never be one that a browser would run on the hub's own origin.
    'content-type': isLarge ? 'application/octet-stream' : 'text/plain; charset=utf-8',
    'content-disposition': dispositionOf(at.path, download),
    'cache-control': at.revision === at.commit ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    vary: 'Authorization, Cookie',
  };
}

interface FileOfCommit {
  readonly id: string;
  readonly size: number;
  readonly isLarge: boolean;
  readonly download: boolean;
}

/** Returns which bytes a request wants: the file, or the pointer of a large one. */
function wantedOf({ oid, size, lfs }: Entry, raw: boolean): Omit<FileOfCommit, 'download'> {
  if (!lfs) return { id: oid, size, isLarge: false };
  return raw ? { id: oid, size: lfs.pointerSize, isLarge: false } : { id: lfs.oid, size: lfs.size, isLarge: true };
}

/** Serves files of the upstream as this hub serves its own. */
export function createServing({ answers, files, onServed }: Dependencies) {
  return async (of: AtCommit, at: ResolvedPath, request: FailedRequest, raw: boolean): Promise<Answer<never>> => {
    const { header, method, caller } = request;
    const entry = isPath(at.path) ? (await answers.entries(of, [at.path])).get(at.path) : undefined;
    if (entry?.type !== 'file') throw entryNotFound(at);
    const file = { ...wantedOf(entry, raw), download: new URL(caller.url).searchParams.has('download') };
    const headers = headersOf(at, file);
    const { etag } = headers;
    if (file.isLarge && header('if-match') !== undefined && !isKnown(etag, header('if-match')))
      throw new HubError(412, 'The file does not match `If-Match`');
    if (isKnown(etag, header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
    const part = partFor(header, { etag, size: file.size });
    if (part === 'none')
      return rawAnswer('', { status: 416, headers: { ...headers, 'content-range': `bytes */${file.size}` } });
    const answer = { status: part.status, headers: { ...headers, ...part.headers }, stallMs: MAX_STALL_MS };
    if (method === 'HEAD') return rawAnswer(Readable.from([]), answer);
    const body = await files.open(wantedFrom(of, at, { ...file, raw }), part.range);
    onServed(part.length);
    return rawAnswer(body, answer);
  };
}

function wantedFrom(
  { repo, commit }: AtCommit,
  { path }: ResolvedPath,
  { id, size, raw }: { readonly id: string; readonly size: number; readonly raw: boolean },
): WantedFile {
  const verb = raw ? 'raw' : 'resolve';
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const url = `/${WEB_PREFIX[repo.type]}${repo.name}/${verb}/${commit}/${encoded}`;
  return { id, size, url, what: `The file ${path} of ${repo.name}` };
}
