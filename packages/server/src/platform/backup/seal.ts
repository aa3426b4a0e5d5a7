import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { BackupError } from './backup-error.ts';

/*
 * The last bytes of a backup are a gzip member (RFC 1952) without content whose comment is the SHA-256 of all previous
 * bytes. Any truncation or change is noticed before anything is unpacked, even where gzip would not notice it, and
 * gunzip can still read the file.
 */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0b1_0000, 0, 0, 0, 0, 0, 0xff]);
const TAIL = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const LABEL = 'sha256 ';

const sealOf = (hash: string): Buffer => Buffer.concat([HEAD, Buffer.from(LABEL + hash), TAIL]);
const SEAL_BYTES = HEAD.length + LABEL.length + 64 + TAIL.length;

/** Passes all bytes on and appends the seal. */
export function createSealing(): Transform {
  const hash = createHash('sha256');
  return new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(null, sealOf(hash.digest('hex')));
    },
  });
}

/** Throws unless the file is intact, byte for byte. Calls `onRead` between pieces of the file, and awaits it. */
export async function checkSeal(file: string, onRead: () => void | Promise<void> = () => {}): Promise<void> {
  const { size } = await stat(file);
  const sealed = size - SEAL_BYTES;
  const seal = sealed > 0 ? await readAll(file, sealed) : Buffer.alloc(0);
  const hash = createHash('sha256');
  if (sealed > 0)
    for await (const chunk of chunksOf(file, { end: sealed - 1 })) {
      hash.update(chunk);
      await onRead();
    }
  if (seal.equals(sealOf(hash.digest('hex')))) return;
  const whole = seal.subarray(0, HEAD.length).equals(HEAD) && seal.subarray(-TAIL.length).equals(TAIL);
  throw new BackupError(
    whole
      ? `${file} is damaged: it is not what was written. Take another backup.`
      : `${file} is not a whole backup of Moonbase: its end is missing. It was cut off, or is something else.`,
  );
}

/** Without an encoding, a file stream yields buffers. */
const chunksOf = (file: string, part: { start?: number; end?: number }): AsyncIterable<Buffer> =>
  createReadStream(file, part);

async function readAll(file: string, start: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(file, { start })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
