import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { FailedError } from '../program/failure.ts';

/**
 * Asks for one line at a terminal. What is secret is not shown: the terminal echoes nothing, and what the line editor
 * would write goes nowhere. Throws a `FailedError` where the person leaves instead.
 */
export function prompt(
  question: string,
  { secret = false }: { readonly secret?: boolean },
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: secret ? nowhere : output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    if (secret) output.write(question);
    lines.on('close', () => {
      if (secret) output.write('\n');
      reject(new FailedError('Cancelled: nothing was entered.'));
    });
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
}
