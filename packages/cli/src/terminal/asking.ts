import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { reasonOf, UsageError } from '../program/failure.ts';
import type { Terminal } from './terminal.ts';

/** What cannot be taken back is asked about at a terminal, and elsewhere done with `--yes` only. */
export async function confirm(question: string, yes: boolean | undefined, { ask }: Terminal): Promise<void> {
  if (yes) return;
  if (!ask) throw new UsageError(`${question} Nobody is there to ask: say --yes.`);
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was done.');
}

/** A text from a file, or from standard input for `-`. */
export async function readText(file: string, { stdin }: Terminal): Promise<string> {
  const name = file === '-' ? 'standard input' : file;
  return (file === '-' ? text(stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw new UsageError(`Cannot read ${name}: ${reasonOf(error)}`);
  });
}

/** One line that nobody should see: typed without an echo, or read from standard input where nobody types. */
export async function readSecret(question: string, terminal: Terminal): Promise<string> {
  const given = terminal.ask ? await terminal.ask(question, { secret: true }) : await text(terminal.stdin);
  return given.trim();
}
