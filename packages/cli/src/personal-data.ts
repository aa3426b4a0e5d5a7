import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PersonalData } from '@moonbase/client/personal-data';
import { FailedError, reasonOf, UsageError } from './program/failure.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The last line of a complete export, at the end of it. */
const END = /(?:^|\n)\{"section":"end","items":\d+\}\n$/;
const MAX_END_LENGTH = 100;

const incomplete = () => new FailedError('The hub broke off: the export is incomplete. Try again.');

/** `moonbase users export`: writes an export to a new file, or to standard output. Fails if the export is incomplete. */
export async function savePersonalData(
  begin: () => Promise<PersonalData>,
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (output === undefined) return print(await begin(), terminal);
  if (await lstat(output).catch(() => undefined))
    throw new UsageError(`${output} exists: choose another name, or delete it.`);
  await save(await begin(), output);
}

async function print({ text }: PersonalData, terminal: Terminal): Promise<void> {
  let tail = '';
  for await (const piece of text.pipeThrough(new TextDecoderStream())) {
    terminal.out(piece);
    tail = (tail + piece).slice(-MAX_END_LENGTH);
  }
  if (!END.test(tail)) throw incomplete();
}

/** Writes a file that only its owner may read, under another name until it is complete. */
async function save({ text }: PersonalData, output: string): Promise<void> {
  const partial = `${output}.partial`;
  await rm(partial, { force: true }).catch(() => undefined);
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  let tail = '';
  const watched = new Transform({
    transform(piece: Uint8Array, _, done) {
      tail = (tail + Buffer.from(piece).toString('latin1')).slice(-MAX_END_LENGTH);
      done(null, piece);
    },
  });
  try {
    await pipeline(Readable.fromWeb(text), watched, file);
    if (!END.test(tail)) throw incomplete();
    await rename(partial, output);
  } catch (error) {
    const isOfFile = file.errored === error || isRename(error);
    if (file.errored === null || file.bytesWritten > 0) await rm(partial, { force: true }).catch(() => undefined);
    throw isOfFile ? new UsageError(`Cannot write ${output}: ${reasonOf(error)}`) : error;
  }
}

const isRename = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'rename';
