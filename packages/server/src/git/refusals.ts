import { GitUnavailable } from '../platform/git/stock/git-version.ts';
import { HubError } from '../platform/http/errors.ts';

/** Why somebody who has waited for a process of git gets none. */
export const BUSY = 'The hub is busy with other clones and pushes; try again in a minute';

/** Waits for work with stock git. Throws 501 if there is none. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof GitUnavailable ? new HubError(501, error.message) : error;
  }
}
