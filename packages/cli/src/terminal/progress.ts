import type { Terminal } from './terminal.ts';

/** Shows progress on one line of a terminal, and nothing elsewhere. Clears the line once `work` has ended. */
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
