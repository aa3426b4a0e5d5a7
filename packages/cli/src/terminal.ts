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
}
