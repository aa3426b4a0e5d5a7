import { type Reader, readsElsewhere } from '../access/index.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';
import type { UpstreamRepoRow } from './tables.ts';

/**
 * Creates the rules of who reads what of a repository of the upstream. `sharePrivate`: whoever is signed in reads what the
 * token of this hub may read there.
 */
export function createGate(sharePrivate: boolean) {
  const shares = (principal: Reader, what: 'gated' | 'private') => sharePrivate && readsElsewhere(principal, what);
  return {
    /** Returns whether a caller may know of a repository. */
    mayRead: ({ principal }: ReadingCaller, { state }: UpstreamRepoRow): boolean =>
      state !== 'gone' && (state !== 'closed' || shares(principal, 'private')),

    /** Throws the code `GatedRepo` if the files of a readable repository are kept from the caller: 401 for strangers, else 403. */
    requireFiles({ principal }: ReadingCaller, { state, type, name }: UpstreamRepoRow): void {
      if (state !== 'gated' && (state !== 'granted' || shares(principal, 'gated'))) return;
      const reason =
        state === 'gated' && shares(principal, 'gated')
          ? 'the upstream hub has not granted this hub access'
          : 'this hub does not pass on what is gated at its upstream';
      const isStranger = principal.userId === undefined;
      throw new HubError(isStranger ? 401 : 403, `Access to ${type} ${name} is restricted: ${reason}`, {
        code: 'GatedRepo',
        ...(isStranger && { headers: { 'www-authenticate': 'Bearer' } }),
      });
    },
  };
}
