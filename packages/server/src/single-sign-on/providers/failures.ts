import { HubError, unauthorized } from '../../platform/http/errors.ts';
import { OutboundFailure } from '../../platform/outbound/failure.ts';

const MAX_LENGTH = 300;

export const unavailable = (name: string): HubError =>
  new HubError(502, `${name} does not answer at the moment; try again, or sign in in another way`);

/** One text, whatever was wrong with what a provider said: the details are for the operator. */
export const refused = (): HubError => unauthorized('The sign-in could not be confirmed; start again');

/** What made an error, from the outermost to the innermost. */
function* causesOf(error: unknown): Generator<unknown> {
  for (let at = error, depth = 0; at !== undefined && depth < 5; depth++) {
    yield at;
    at = at instanceof Error ? at.cause : undefined;
  }
}

/** Whether a provider could not be reached, or did not answer as one does. */
export const isUnavailable = (error: unknown): boolean =>
  [...causesOf(error)].some(
    (cause) => cause instanceof OutboundFailure || (cause instanceof Response && cause.status >= 500),
  );

/** Says for the log why a provider was not believed: the names of errors, and never what a token says. */
export const reasonOf = (error: unknown): string =>
  [...causesOf(error)]
    .filter((cause) => cause instanceof Error)
    .map(({ message }) => message)
    .join(': ')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_LENGTH);
