import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { reasonOf, UsageError } from '../program/failure.ts';
import type { Terminal } from './terminal.ts';

/** Asks for confirmation of an irreversible action at a terminal; elsewhere requires `--yes`. */
export async function confirm(question: string, yes: boolean | undefined, { ask }: Terminal): Promise<void> {
  if (yes) return;
  if (!ask) throw new UsageError(`${question} There is no terminal to ask at: add --yes.`);
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Cancelled: nothing was changed.');
}

/** Reads a text from a file, or from standard input for `-`. */
export async function readText(file: string, { stdin }: Terminal): Promise<string> {
  const name = file === '-' ? 'standard input' : file;
  return (file === '-' ? text(stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw new UsageError(`Cannot read ${name}: ${reasonOf(error)}`);
  });
}

/** Reads a secret line: typed without echo at a terminal, otherwise from standard input. */
export async function readSecret(question: string, terminal: Terminal): Promise<string> {
  const line = terminal.ask ? await terminal.ask(question, { secret: true }) : await text(terminal.stdin);
  return line.trim();
}
