import { HubError, unauthorized } from '../../platform/http/errors.ts';
import { OutboundFailure } from '../../platform/outbound/failure.ts';

const MAX_LENGTH = 300;

export const unavailable = (name: string): HubError =>
  new HubError(502, `${name} is not responding; try again, or sign in another way`);

/** Returns the single error for any invalid response of a provider; the details are for the operator only. */
export const refused = (): HubError => unauthorized('The sign-in could not be confirmed; start again');

/** Yields an error and its causes, from the outermost to the innermost. */
export function* causesOf(error: unknown): Generator<unknown> {
  for (let at = error, depth = 0; at !== undefined && depth < 5; depth++) {
    yield at;
    at = at instanceof Error ? at.cause : undefined;
  }
}

/** Returns whether a provider could not be reached, or did not respond as a provider does. */
export const isUnavailable = (error: unknown): boolean =>
  [...causesOf(error)].some(
    (cause) => cause instanceof OutboundFailure || (cause instanceof Response && cause.status >= 500),
  );

/** Describes for the log why a response was refused: the names of errors, never the content of a token. */
export const reasonOf = (error: unknown): string =>
  [...causesOf(error)]
    .filter((cause) => cause instanceof Error)
    .map(({ message }) => message)
    .join(': ')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_LENGTH);
