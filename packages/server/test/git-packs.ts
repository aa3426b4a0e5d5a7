import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { encodeCommit } from '../src/platform/git/objects/commit.ts';
import type { GitObject } from '../src/platform/git/objects/object.ts';
import { encodeTree, MODES } from '../src/platform/git/objects/tree.ts';
import { encodeEntryHeader } from '../src/platform/git/packs/pack-entry.ts';

/** A delta on an object that the pack need not have. */
interface Delta {
  readonly base: string;
  readonly delta: Buffer;
}

export const pktLineOf = (text: string): Buffer =>
  Buffer.from((Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text);

/** Encodes a pack, possibly one that git calls thin. */
export function packOf(...entries: readonly (GitObject | Delta)[]): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(entries.length, 8);
  const body = Buffer.concat([header, ...entries.map(entryOf)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

const REF_DELTA = 7;

function entryOf(entry: GitObject | Delta): Buffer {
  if (!('base' in entry))
    return Buffer.concat([encodeEntryHeader(entry.type, entry.body.length), deflateSync(entry.body)]);
  // The size of a delta of less than 16 bytes fits into the first byte.
  const opening = Buffer.from([(REF_DELTA << 4) | entry.delta.length]);
  return Buffer.concat([opening, Buffer.from(entry.base, 'hex'), deflateSync(entry.delta)]);
}

const ADA = { name: 'Ada', email: 'ada@example.com', time: 1_700_000_000_000 };

/** Returns a commit without parents. */
export const commitOf = (tree: string): GitObject => ({
  type: 'commit',
  body: encodeCommit({ tree, parents: [], author: ADA, committer: ADA, message: 'Found' }),
});

/** Returns a tree with one file. */
export const treeOf = (name: string, id: string): GitObject => ({
  type: 'tree',
  body: encodeTree([{ name, mode: MODES.file, id }]),
});
