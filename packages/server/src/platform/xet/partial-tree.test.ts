import { hashToHex, MerkleHashSubtree, xorbHash } from '@huggingface/xetchunk-wasm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartialTree } from './partial-tree.ts';

/** Chunks whose hashes end a parent often, as real ones do, or rarely, or always. */
const chunk = fc.record({
  hash: fc
    .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom(undefined, 0, 1))
    .map(([hash, byte]) => (byte === undefined ? hash : hash.with(24, byte))),
  length: fc.nat({ max: 131_072 }),
});
const chunks = fc.array(chunk, { minLength: 1, maxLength: 400 });

/** Returns the part of a file as clients read it; the chunks come in pieces. */
function part(given: readonly { hash: Uint8Array; length: number }[], atStart: boolean, atEnd: boolean, piece: number) {
  const tree = createPartialTree(atStart);
  for (let at = 0; at < given.length; at += piece)
    tree.add(given.slice(at, at + piece).map(({ hash, length }) => ({ hash, bytes: length })));
  return tree.end(atEnd);
}

const parsed = (json: ReturnType<typeof part>): MerkleHashSubtree[] =>
  json === null ? [] : [MerkleHashSubtree.fromJSON(json)];

const texts = (hash: Uint8Array | undefined): string => (hash ? hashToHex(hash) : 'none');

test('@huggingface/hub joins parts of a file to the hash of the whole', () => {
  fc.assert(
    fc.property(chunks, fc.nat(400), fc.nat(400), fc.integer({ min: 1, max: 90 }), (all, one, other, piece) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)].map((at) => Math.min(at, all.length));
      const whole = MerkleHashSubtree.merge([
        ...parsed(part(all.slice(0, first), true, false, piece)),
        // What the client has changed is its own.
        MerkleHashSubtree.fromChunks(first === 0, all.slice(first, second), second === all.length),
        ...parsed(part(all.slice(second), false, true, piece)),
      ]);
      expect(texts(whole.finalHash())).toBe(texts(xorbHash(all)));
    }),
    { numRuns: 300 },
  );
});

test('a part without chunks is null, and a whole file is its root alone', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 90 }), (all, piece) => {
      expect(part([], true, false, piece)).toBeNull();
      expect(part([], false, true, piece)).toBeNull();
      const whole = part(all, true, true, piece);
      expect(whole?.nodes.map(({ hash }) => hash)).toEqual([texts(xorbHash(all))]);
      expect(whole?.nodes[0]?.size).toBe(all.reduce((sum, { length }) => sum + length, 0));
    }),
    { numRuns: 100 },
  );
});

test('a part of a large file is small, however the chunks come', () => {
  const all = Array.from({ length: 20_000 }, (_, at) => {
    const hash = Buffer.alloc(32);
    hash.writeUInt32LE(Math.imul(at + 1, 2_654_435_761) >>> 8, 24);
    return { hash, length: 65_536 };
  });
  for (const piece of [1000, 8192, 20_000]) expect(part(all, false, false, piece)?.nodes.length).toBeLessThan(1_000);
});
