import { createPause } from '../cooperative.ts';
import { HASH_BYTES, textOfHash } from './hash-text.ts';
import { XetFault } from './xet-fault.ts';

/* Xet specification, shard.md. */

/** The maximum size of a shard. */
export const MAX_SHARD_BYTES = 64 * 1024 * 1024;

/** The maximum number of files in a shard: as many as a commit can have. */
const MAX_FILES = 25_000;
/** The maximum number of xorbs that a shard can name: together they have 1.5 TB. */
const MAX_XORBS = 25_000;

const RECORD_BYTES = 48;
export const SHARD_TAG = Buffer.concat([
  Buffer.from('HFRepoMetaData\0'),
  Buffer.from('556967456a7b815783a5bdd95ccdd14aa9', 'hex'),
]);
const VERSION = 2n;
const WITH_VERIFICATION = 0x8000_0000;
const WITH_METADATA = 0x4000_0000;
const BOOKEND = Buffer.alloc(HASH_BYTES, 0xff);

/** A part of a file: some chunks of a xorb. */
export interface Term {
  /** The text of the hash of the xorb. */
  readonly xorb: string;
  readonly rawBytes: number;
  readonly start: number;
  /** The chunk after the last one. */
  readonly end: number;
  /** The hash of the hashes of the chunks. */
  readonly verification: Buffer;
}

/** A file in a shard. */
export interface ShardFile {
  /** The text of the hash of the file. */
  readonly hash: string;
  /** Undefined if the client did not say it. */
  readonly sha256: string | undefined;
  /** Clients describe a file without bytes, too. */
  readonly termCount: number;
  term(at: number): Term;
}

export interface Shard {
  readonly files: readonly ShardFile[];
  /** The texts of the hashes of the xorbs that the shard lists as new. */
  readonly newXorbs: ReadonlySet<string>;
  /** The texts of the hashes of all xorbs that the shard names. */
  readonly xorbs: ReadonlySet<string>;
}

/**
 * Reads a shard as clients upload it, and lets other work run in between; what follows its two sections is ignored. Throws
 * a `XetFault`.
 */
export async function readShard(bytes: Buffer): Promise<Shard> {
  const pause = createPause();
  let at = 0;

  /** Takes some records; the result shares the memory of the shard. */
  function take(count: number): Buffer {
    const end = at + count * RECORD_BYTES;
    if (end > bytes.length) throw new XetFault('The shard ends too early');
    const taken = bytes.subarray(at, end);
    at = end;
    return taken;
  }

  const xorbs = new Set<string>();
  function addXorb(hash: string): Promise<void> | undefined {
    xorbs.add(hash);
    if (xorbs.size > MAX_XORBS) throw new XetFault(`A shard can name at most ${MAX_XORBS} xorbs`);
    return pause();
  }

  const header = take(1);
  if (!header.subarray(0, SHARD_TAG.length).equals(SHARD_TAG) || header.readBigUInt64LE(SHARD_TAG.length) !== VERSION)
    throw new XetFault('The body is not a shard of version 2');

  const files: ShardFile[] = [];
  for (let first = take(1); !isBookend(first); first = take(1)) {
    const [flags, count] = [first.readUInt32LE(HASH_BYTES), first.readUInt32LE(HASH_BYTES + 4)];
    const terms = take(count);
    if (count > 0 && (flags & WITH_VERIFICATION) === 0)
      throw new XetFault('A file of the shard has no verification entries');
    const verification = (flags & WITH_VERIFICATION) === 0 ? terms : take(count);
    const sha256 = (flags & WITH_METADATA) === 0 ? undefined : hashAt(take(1), 0);
    files.push(fileOf(hashAt(first, 0), sha256, terms, verification));
    if (files.length > MAX_FILES) throw new XetFault(`A shard can have at most ${MAX_FILES} files`);
    for (let from = 0; from < terms.length; from += RECORD_BYTES) await addXorb(hashAt(terms, from));
  }
  const newXorbs = new Set<string>();
  for (let first = take(1); !isBookend(first); first = take(1)) {
    const hash = hashAt(first, 0);
    newXorbs.add(hash);
    await addXorb(hash);
    take(first.readUInt32LE(HASH_BYTES + 4));
  }
  return { files, newXorbs, xorbs };
}

const fileOf = (hash: string, sha256: string | undefined, terms: Buffer, verification: Buffer): ShardFile => ({
  ...{ hash, sha256, termCount: terms.length / RECORD_BYTES },
  term(at) {
    const from = at * RECORD_BYTES;
    return {
      xorb: hashAt(terms, from),
      rawBytes: terms.readUInt32LE(from + HASH_BYTES + 4),
      start: terms.readUInt32LE(from + HASH_BYTES + 8),
      end: terms.readUInt32LE(from + HASH_BYTES + 12),
      verification: verification.subarray(from, from + HASH_BYTES),
    };
  },
});

const isBookend = (record: Buffer): boolean => record.subarray(0, HASH_BYTES).equals(BOOKEND);

/** Returns the text of a hash; a SHA-256 is stored in the same order of bytes. */
const hashAt = (bytes: Buffer, at: number): string => textOfHash(bytes.subarray(at, at + HASH_BYTES));
