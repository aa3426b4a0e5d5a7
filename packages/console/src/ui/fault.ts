import { HubApiError } from '@moonbase/client/errors';

export interface Fault {
  /** The status of the response; undefined without a response. */
  readonly status: number | undefined;
  readonly message: string;
  readonly requestId: string | undefined;
}

const unanswered = (): string =>
  navigator.onLine
    ? 'The hub does not answer. It may be restarting: try again in a moment, or ask its administrator.'
    : 'You are offline. Try again once you are back.';

/** Describes an error for the user. */
export function faultOf(error: unknown): Fault {
  if (error instanceof HubApiError) {
    const issues = error.issues.map(({ path, message }) => `${path.replace(/^body\./, '')} ${message}`);
    return {
      status: error.status,
      message: [error.message, ...issues].filter((text, at, all) => all.indexOf(text) === at).join('\n'),
      requestId: error.requestId,
    };
  }
  if (error instanceof TypeError) return { status: undefined, message: unanswered(), requestId: undefined };
  return { status: undefined, message: error instanceof Error ? error.message : String(error), requestId: undefined };
}
