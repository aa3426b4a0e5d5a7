import { fileHash, hashToHex, verificationHash, xorbHash } from '@huggingface/xetchunk-wasm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf } from '../../../test/blobs/bytes.ts';
import { chunksOf } from '../../../test/xet-chunker.ts';
import { hashOfText, textOfHash } from './hash-text.ts';
import { createHashTree } from './hash-tree.ts';
import { hashChunk, hashFile, hashTerm } from './keyed-hashes.ts';

const nodes = fc.array(
  fc.record({ hash: fc.uint8Array({ minLength: 32, maxLength: 32 }), length: fc.nat({ max: 131_072 }) }),
  { minLength: 1, maxLength: 300 },
);

const rootOf = (chunks: readonly { hash: Uint8Array; length: number }[]): Uint8Array => {
  const tree = createHashTree();
  for (const { hash, length } of chunks) tree.add(hash, length);
  return tree.root() ?? new Uint8Array();
};

test('a hash is printed as four little-endian numbers', () => {
  const hash = Uint8Array.from({ length: 32 }, (_, at) => at);
  const text = '07060504030201000f0e0d0c0b0a090817161514131211101f1e1d1c1b1a1918';
  expect(textOfHash(hash)).toBe(text);
  expect(hashOfText(text)).toEqual(Buffer.from(hash));
  expect(hash[0]).toBe(0);
});

test('the tree of hashes is that of @huggingface/hub, for xorbs and for files', () => {
  fc.assert(
    fc.property(nodes, (chunks) => {
      const root = rootOf(chunks);
      expect(textOfHash(root)).toBe(hashToHex(xorbHash(chunks)));
      expect(textOfHash(hashFile(root))).toBe(hashToHex(fileHash(chunks)));
    }),
  );
});

test('children with hashes that end a node, or never do, make the same tree', () => {
  for (const byte of [0, 1, 2, 3])
    for (const count of [1, 2, 3, 4, 9, 10, 18, 19, 81, 82, 100]) {
      const chunks = Array.from({ length: count }, (_, at) => {
        const hash = new Uint8Array(32).fill(at);
        hash[24] = byte;
        return { hash, length: at };
      });
      expect(textOfHash(rootOf(chunks))).toBe(hashToHex(xorbHash(chunks)));
    }
  expect(createHashTree().root()).toBeUndefined();
});

test('chunks and terms have the hashes of @huggingface/hub', () => {
  const chunks = chunksOf(bytesOf(500_000));
  for (const { hash, bytes } of chunks) expect(Buffer.from(hashChunk(bytes))).toEqual(Buffer.from(hash));
  const hashes = chunks.map(({ hash }) => hash);
  expect(Buffer.from(hashTerm(Buffer.concat(hashes)))).toEqual(Buffer.from(verificationHash(hashes)));
});
