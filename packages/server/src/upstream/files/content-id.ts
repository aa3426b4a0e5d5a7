import { createHash } from 'node:crypto';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';

/** A file by its content. */
export interface UpstreamContent {
  /** The SHA-256 of a large file, or the id in git of another. */
  readonly id: string;
  readonly size: number;
}

/** A file to serve, and where the upstream has it. */
export interface WantedFile extends UpstreamContent {
  /** The path of its URL at the upstream. */
  readonly url: string;
  /** How messages name the file. */
  readonly what: string;
}

const SHA_256_DIGITS = 64;

/** Creates what compares arriving bytes with the content that was announced. */
export function createCheck({ id, size }: UpstreamContent) {
  const hash = createHash(id.length === SHA_256_DIGITS ? 'sha256' : 'sha1');
  if (id.length !== SHA_256_DIGITS) hash.update(`blob ${size}\0`);
  let received = 0;
  return {
    /** Throws a `RemoteFault` if there are more bytes than announced. */
    add(piece: Uint8Array): void {
      received += piece.length;
      if (received > size) throw new RemoteFault(`It sends more than the ${size} bytes of a file`);
      hash.update(piece);
    },
    /** Throws a `RemoteFault` unless the bytes are the content. */
    finish(): void {
      if (received !== size) throw new RemoteFault(`It ended after ${received} of the ${size} bytes of a file`);
      if (hash.digest('hex') !== id) throw new RemoteFault('It sent a file whose hash is not the announced one');
    },
  };
}

/** Returns whether a content of no bytes is what its id says. */
export function isEmptyContent(content: UpstreamContent): boolean {
  try {
    createCheck(content).finish();
    return true;
  } catch {
    return false;
  }
}
