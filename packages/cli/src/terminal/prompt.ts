import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { FailedError } from '../program/failure.ts';

/**
 * Asks for one line at a terminal. For a secret, the terminal echoes nothing and the output of the line editor is
 * discarded. Throws a `FailedError` if the person aborts.
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
