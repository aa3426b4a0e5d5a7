/** An event that `moonbase listen` prints; with `--json` unchanged, one per line. */
export type ListenEvent =
  | {
      readonly type: 'listening';
      readonly streamId: string;
      readonly watched: readonly { readonly type: string; readonly name: string }[];
      readonly domains: readonly string[];
      readonly forwardTo: string;
    }
  | {
      readonly type: 'delivery';
      readonly id: string;
      readonly scope: string;
      readonly action: string;
      readonly repo: { readonly type: string; readonly name: string };
      readonly test?: boolean;
      /** The status of the response; 0 without one. */
      readonly status: number;
      readonly error?: string;
      readonly durationMs: number;
    }
  | { readonly type: 'disconnected'; readonly retryInMs: number }
  | { readonly type: 'expired'; readonly streamId: string }
  | { readonly type: 'closed'; readonly streamId: string };

/** Describes an event for people. */
export function listenText(event: ListenEvent): string {
  switch (event.type) {
    case 'listening': {
      const names = event.watched.map(({ type, name }) => `${type} ${name}`).join(', ');
      const { streamId, forwardTo } = event;
      return `Listening to ${names}; forwarding to ${forwardTo}. Press Ctrl-C to stop. (stream ${streamId})\n`;
    }
    case 'delivery': {
      const { scope, action, repo, status, error, durationMs, test } = event;
      const what = `${scope}/${action}  ${repo.type} ${repo.name}${test ? '  (test)' : ''}`;
      return `${now()}  ${what}  ${status || `failed: ${error ?? 'no response'}`}  ${durationMs} ms\n`;
    }
    case 'disconnected':
      return `${now()}  Lost the connection to the hub; reconnecting in ${event.retryInMs / 1000} s.\n`;
    case 'expired':
      return `${now()}  The hub has closed the stream: events since then are not delivered.\n`;
    case 'closed':
      return 'Closed.\n';
  }
}

const now = (): string => new Date().toTimeString().slice(0, 8);
