import type { Fetch } from '@moonbase/client/request';

/** What the command touches of the world around it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly fetch?: Fetch;
  /** Has the listener called once when the command is to end; answers how to take that back. */
  readonly onInterrupt?: (listener: () => void) => () => void;
}
