import { BlobError, type BlobFault } from '../../platform/blobs/blob-store.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';

const STATUSES: Readonly<Record<BlobFault, number>> = {
  mismatch: 400,
  part: 400,
  missing: 404,
  full: 507,
  unavailable: 503,
};

const RETRY_AFTER_SECONDS = '5';

/** Runs an operation on the blob store and turns its faults into HTTP errors. */
export async function withStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    const status = STATUSES[error.fault];
    throw new HubError(
      status,
      error.message,
      status === 503 ? { headers: { 'retry-after': RETRY_AFTER_SECONDS } } : {},
    );
  }
}

export const repositoryGone = () =>
  notFound('The repository for this file no longer exists, or you no longer have access to it');

/** Returns the error for a file whose bytes are being deleted while a caller uploads or uses the file. */
export const beingDeleted = () =>
  new HubError(503, 'This file is being deleted; try again in a minute', {
    headers: { 'retry-after': '60' },
  });
