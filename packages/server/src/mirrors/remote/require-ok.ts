import type { StreamedAnswer } from '../../platform/outbound/guarded-streams.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';

/** Throws a `RemoteFault` unless a response has the status 200. */
export function requireOk({ status }: StreamedAnswer, hasToken: boolean): void {
  if (status === 200) return;
  throw new RemoteFault(sentenceFor(status, hasToken));
}

function sentenceFor(status: number, hasToken: boolean): string {
  switch (status) {
    case 401:
      return hasToken
        ? 'The remote refuses the token (401)'
        : 'The remote asks for credentials (401): the repository does not exist there, or needs a token';
    case 403:
      return 'The remote refuses access (403)';
    case 404:
      return `The remote has no such repository${hasToken ? ', or the token may not read it' : ''} (404)`;
    case 429:
      return 'The remote asks the hub to come back later (429)';
    default:
      return `The remote answered with the status ${status}`;
  }
}
