import type { Fetch } from '@moonbase/client/request';

/** The environment of the command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /**
   * Writes bytes to standard output and waits until there is room for more; if absent, `out` gets the bytes as text.
   */
  readonly outBytes?: (bytes: Uint8Array) => Promise<void>;
  readonly fetch?: Fetch;
  /** Whether standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** Whether standard error, which shows progress, is a terminal. */
  readonly isErrorTerminal?: boolean;
  /** Calls the listener once when the command should end; returns a function that removes it. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Waits, in place of a timer. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Prompts at the terminal, without echo for secrets; absent if standard input is not a terminal. */
  readonly ask?: (question: string, options?: { readonly secret?: boolean }) => Promise<string>;
}

/** Returns the function that waits. */
export const sleepOf = ({ sleep }: Pick<Terminal, 'sleep'>): NonNullable<Terminal['sleep']> =>
  sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
