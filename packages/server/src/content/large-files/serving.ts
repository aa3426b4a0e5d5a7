import type { BlobName, BlobStore } from '../../platform/blobs/blob-store.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import { partFor } from '../../platform/http/byte-range.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';
import { isKnown } from '../../platform/http/etag.ts';
import type { Logger } from '../../platform/logger.ts';
import { findGranted } from './grant-store.ts';
import { withStore } from './refusals.ts';

/** Smaller files are sent by the hub also where a bucket could send them: a redirect would cost more. */
const REDIRECTED_BYTES = 1024 * 1024;
/** How long the address of a redirect is good for. */
const URL_SECONDS = 3600;
/** A connection that takes no byte for so long is closed. */
const STALL_MS = 120_000;

interface Dependencies {
  readonly logger: Logger;
  readonly store: BlobStore;
}

/** What is asked for, and how. */
export interface BlobRequest extends BlobName {
  readonly repoId: string;
  readonly header: (name: string) => string | undefined;
  /** Whether only the headers are asked for. */
  readonly headOnly: boolean;
  readonly contentType: string;
  readonly contentDisposition: string;
  /** Further headers, which stand on every answer that is no error, redirects included. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends large files: whole or a range of them, or a redirect to where they are. */
export function createServing({ logger, store }: Dependencies) {
  async function requireSound(executor: ReadExecutor, { repoId, sha256, size }: BlobRequest): Promise<void> {
    const [file] = await findGranted(executor, repoId, [sha256]);
    if (file?.size !== size)
      throw notFound('The bytes of this file were never uploaded, or were deleted', 'EntryNotFound');
    if (file.sound) return;
    logger.error({ sha256, repoId }, 'a damaged file was asked for and not sent');
    throw new HubError(500, 'The stored bytes of this file are damaged; they have to be uploaded again');
  }

  return async (executor: ReadExecutor, request: BlobRequest): Promise<Answer<never>> => {
    await requireSound(executor, request);
    const { sha256, size, header, headOnly, contentType, contentDisposition } = request;
    const etag = `"${sha256}"`;
    const headers = { 'accept-ranges': 'bytes', ...request.headers, etag };
    const unmet = header('if-match') !== undefined && !isKnown(etag, header('if-match'));
    if (unmet) throw new HubError(412, 'The file is another one than `If-Match` names');
    if (isKnown(etag, header('if-none-match'))) return rawAnswer(undefined, { status: 304, headers });
    if (store.signedUrl && size > REDIRECTED_BYTES) {
      const options = { seconds: URL_SECONDS, contentType, contentDisposition };
      return redirect(store.signedUrl(sha256, options), { ...headers, ...linked(etag, size) });
    }
    const whole = { ...headers, ...linked(etag, size), 'content-type': contentType };
    const named = { ...whole, 'content-disposition': contentDisposition };
    const part = partFor(header, { etag, size });
    if (part === 'none')
      throw new HubError(416, `The file has ${size} bytes; the range lies beyond its end`, {
        headers: { 'content-range': `bytes */${size}` },
      });
    const isEmpty = headOnly || part.length === 0;
    return rawAnswer(isEmpty ? '' : await withStore(() => store.get(sha256, part.range)), {
      status: part.status,
      headers: { ...named, ...part.headers },
      stallMs: STALL_MS,
    });
  };
}

const linked = (etag: string, size: number) => ({ 'x-linked-etag': etag, 'x-linked-size': String(size) });

const redirect = (location: string, headers: Readonly<Record<string, string>>): Answer<never> =>
  rawAnswer(undefined, { status: 302, headers: { ...headers, location } });
