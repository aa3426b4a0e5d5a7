import type { Bytes } from '../platform/blobs/blob-store.ts';
import { badRequest, HubError } from '../platform/http/errors.ts';
import { XetFault } from '../platform/xet/xet-fault.ts';

/** Returns the error that tells a caller what is wrong with what it sent. */
export const asHubError = (error: unknown): unknown => (error instanceof XetFault ? badRequest(error.message) : error);

/** Runs work on what a caller sent; throws 400 with the reason if it is wrong. */
export async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asHubError(error);
  }
}

/** Passes stored bytes on. Throws 503 if the storage breaks off in the middle, as a bucket may. */
export async function* unbroken(bytes: Bytes): Bytes {
  try {
    yield* bytes;
  } catch {
    throw new HubError(503, 'The storage of large files broke off; try again', { headers: { 'retry-after': '5' } });
  }
}

export const tooLarge = (what: string, maxBytes: number) =>
  new HubError(413, `${what} can have at most ${maxBytes} bytes`);
