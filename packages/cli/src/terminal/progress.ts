import type { Terminal } from './terminal.ts';

/** Shows how far something is on one line of a terminal; elsewhere nothing. The line is gone when `work` has ended. */
export async function withProgress<T>(
  { err, isErrorTerminal = false }: Terminal,
  work: (show: (text: string) => void) => Promise<T>,
): Promise<T> {
  const show = (text: string) => {
    if (isErrorTerminal) err(`\r\x1b[K${text}`);
  };
  try {
    return await work(show);
  } finally {
    show('');
  }
}
