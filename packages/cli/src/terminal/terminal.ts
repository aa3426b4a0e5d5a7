import type { Fetch } from '@moonbase/client/request';

/** What the command touches of the world around it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly fetch?: Fetch;
  /** Whether standard output is one that a person looks at. */
  readonly isTerminal?: boolean;
  /** The same of standard error, where progress is shown. */
  readonly isErrorTerminal?: boolean;
  /** Has the listener called once when the command is to end; returns how to take that back. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** In place of a timer. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Asks the person at the terminal; absent where standard input is none. What is secret is not shown. */
  readonly ask?: (question: string, options?: { readonly secret?: boolean }) => Promise<string>;
}
