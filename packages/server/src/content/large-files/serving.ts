import { Readable } from 'node:stream';
import type { BlobName, BlobStore } from '../../platform/blobs/blob-store.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';
import { isKnown } from '../../platform/http/etag.ts';
import { partFor } from '../../platform/http/ranges/byte-range.ts';
import type { Logger } from '../../platform/logger.ts';
import { findGranted } from './grant-store.ts';
import { withStore } from './refusals.ts';

/** Smaller files are served by the hub even if they are in a bucket, because a redirect would cost more. */
const MIN_REDIRECT_BYTES = 1024 * 1024;
/** The lifetime of a redirect URL, which the hub cannot take back. */
const URL_SECONDS = 15 * 60;
/** A connection that accepts no byte for this long is closed. */
const MAX_STALL_MS = 120_000;

interface Dependencies {
  readonly logger: Logger;
  readonly store: BlobStore;
}

/** A request for a large file. */
export interface BlobRequest extends BlobName {
  readonly repoId: string;
  readonly header: (name: string) => string | undefined;
  /** Whether only the headers are requested. */
  readonly headOnly: boolean;
  /** Whether the hub answers itself, wherever the file is. */
  readonly neverRedirect?: boolean;
  readonly contentType: string;
  readonly contentDisposition: string;
  /** Further headers for every response that is not an error, redirects included. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Serves large files: the whole file, a range of it, or a redirect to the bucket. */
export function createServing({ logger, store }: Dependencies) {
  async function requireSound(executor: ReadExecutor, { repoId, sha256, size }: BlobRequest): Promise<void> {
    const [file] = await findGranted(executor, repoId, [sha256]);
    if (file?.size !== size)
      throw notFound('The content of this file was never uploaded, or has been deleted', 'EntryNotFound');
    if (file.sound) return;
    logger.error({ sha256, repoId }, 'a damaged file was requested and not sent');
    throw new HubError(500, 'The stored content of this file is damaged; upload the file again');
  }

  return async (executor: ReadExecutor, request: BlobRequest): Promise<Answer<never>> => {
    await requireSound(executor, request);
    const { sha256, size, header, headOnly, contentType, contentDisposition } = request;
    const etag = `"${sha256}"`;
    const headers = { 'accept-ranges': 'bytes', ...request.headers, etag };
    const preconditionFailed = header('if-match') !== undefined && !isKnown(etag, header('if-match'));
    if (preconditionFailed) throw new HubError(412, 'The file does not match `If-Match`');
    if (isKnown(etag, header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
    if (store.signedUrl && size > MIN_REDIRECT_BYTES && !request.neverRedirect) {
      const options = { seconds: URL_SECONDS, contentType, contentDisposition };
      return redirect(store.signedUrl(sha256, options), { ...headers, ...linkedHeaders(etag, size) });
    }
    const whole = { ...headers, ...linkedHeaders(etag, size), 'content-type': contentType };
    const named = { ...whole, 'content-disposition': contentDisposition };
    const part = partFor(header, { etag, size });
    if (part === 'none')
      throw new HubError(416, `The file has ${size} bytes; the range lies beyond its end`, {
        headers: { 'content-range': `bytes */${size}` },
      });
    const isEmpty = headOnly || part.length === 0;
    return rawAnswer(isEmpty ? Readable.from([]) : await withStore(() => store.get(sha256, part.range)), {
      status: part.status,
      headers: { ...named, ...part.headers },
      stallMs: MAX_STALL_MS,
    });
  };
}

const linkedHeaders = (etag: string, size: number) => ({
  'x-linked-etag': etag,
  'x-linked-size': String(size),
});

const redirect = (location: string, headers: Readonly<Record<string, string>>): Answer<never> =>
  rawAnswer(undefined, { status: 302, headers: { ...headers, location } });
