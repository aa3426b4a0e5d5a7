import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NEW_SIGNATURE, tagSignature } from './tag-signature.ts';

const bitsOf = (signature: number) => BigInt(signature).toString(2).replaceAll('0', '').length;

test('signatures of stored tags do not change', () => {
  expect(tagSignature([])).toBe(0);
  expect([tagSignature(['license:mit']), NEW_SIGNATURE, tagSignature(['été'])]).toMatchInlineSnapshot(`
    [
      17592186109952,
      137441050624,
      8421376,
    ]
  `);
});

test('the signature of tags has the bits of any of them, and is a whole number that is exact', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 100 }), fc.string(), (tags, tag) => {
      const all = tagSignature([...tags, tag]);
      const one = BigInt(tagSignature([tag]));
      expect(Number.isSafeInteger(all)).toBe(true);
      expect(BigInt(all) & one).toBe(one);
      expect(bitsOf(tagSignature([tag]))).toBeLessThanOrEqual(2);
    }),
  );
});

test('of a thousand tags, few are in the signature of eight others', () => {
  const stored = BigInt(tagSignature(Array.from({ length: 8 }, (_, at) => `stored-${at}`)));
  const seeming = Array.from({ length: 1000 }, (_, at) => BigInt(tagSignature([`other-${at}`])));
  expect(seeming.filter((one) => (stored & one) === one).length).toBeLessThan(150);
});
