import { Readable } from 'node:stream';
import { entryNotFound, fileHeaders, type ResolvedPath } from '../content/index.ts';
import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import { HubError } from '../platform/http/errors.ts';
import { isKnown } from '../platform/http/etag.ts';
import { partFor } from '../platform/http/ranges/byte-range.ts';
import type { FailedRequest } from '../platform/http/route.ts';
import { repoUrls } from '../repositories/index.ts';
import type { AtCommit, UpstreamAnswers } from './facts/answers.ts';
import type { Entry } from './facts/entry.ts';
import { isPath } from './facts/forms.ts';
import type { WantedFile } from './files/content-id.ts';
import type { FetchFiles } from './files/fetching.ts';
import { encodedPath } from './remote/encoded-path.ts';

/** A connection that accepts no byte for this long is closed. */
const MAX_STALL_MS = 120_000;

interface Dependencies {
  readonly answers: UpstreamAnswers;
  readonly files: FetchFiles;
  readonly onServed: (bytes: number) => void;
}

interface Content {
  readonly id: string;
  readonly size: number;
  readonly isLarge: boolean;
}

/** Returns which bytes a request wants: the file, or the pointer of a large one. */
function contentOf({ oid, size, lfs }: Entry, raw: boolean): Content {
  if (!lfs) return { id: oid, size, isLarge: false };
  return raw ? { id: oid, size: lfs.pointerSize, isLarge: false } : { id: lfs.oid, size: lfs.size, isLarge: true };
}

/** Returns the headers of a file: those that the hub's own files have (C§4.1), without any that lead to the upstream. */
function headersOf(at: ResolvedPath, { id, size, isLarge }: Content, download: boolean) {
  const headers = fileHeaders(at, id, download);
  if (!isLarge) return headers;
  const linked = { 'x-linked-etag': headers.etag, 'x-linked-size': String(size) };
  return { ...headers, ...linked, 'content-type': 'application/octet-stream' };
}

/** Serves files of the upstream as this hub serves its own. */
export function createServing({ answers, files, onServed }: Dependencies) {
  return async (of: AtCommit, at: ResolvedPath, request: FailedRequest, raw: boolean): Promise<Answer<never>> => {
    const { header, method, caller } = request;
    const entry = isPath(at.path) ? (await answers.entries(of, [at.path])).get(at.path) : undefined;
    if (entry?.type !== 'file') throw entryNotFound(at);
    const content = contentOf(entry, raw);
    const headers = headersOf(at, content, new URL(caller.url).searchParams.has('download'));
    const { etag } = headers;
    if (content.isLarge && header('if-match') !== undefined && !isKnown(etag, header('if-match')))
      throw new HubError(412, 'The file does not match `If-Match`');
    if (isKnown(etag, header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
    const part = partFor(header, { etag, size: content.size });
    if (part === 'none')
      return rawAnswer('', { status: 416, headers: { ...headers, 'content-range': `bytes */${content.size}` } });
    const answer = { status: part.status, headers: { ...headers, ...part.headers }, stallMs: MAX_STALL_MS };
    if (method === 'HEAD') return rawAnswer(Readable.from([]), answer);
    const asker = caller.principal.userId ?? caller.address;
    const body = await files.open(wantedFrom(of, at, content, raw), part.range, asker);
    onServed(part.length);
    return rawAnswer(body, answer);
  };
}

function wantedFrom(
  { repo, commit }: AtCommit,
  { path }: ResolvedPath,
  { id, size }: Content,
  raw: boolean,
): WantedFile {
  const url = `${repoUrls('', repo.type, repo.name).web}/${raw ? 'raw' : 'resolve'}/${commit}/${encodedPath(path)}`;
  return { id, size, url, what: `The file ${path} of ${repo.name}` };
}
