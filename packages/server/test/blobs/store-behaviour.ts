import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore, Bytes, PartTag } from '../../src/platform/blobs/blob-store.ts';
import { bytesOf, contentOf, nameOf, streamOf } from './bytes.ts';

/** A store for one test alone. */
export interface StoreFixture extends AsyncDisposable {
  readonly store: BlobStore;
  /** Returns the names of all stored objects, finished or not. */
  readonly stored: () => Promise<string[]>;
}

export const CONTENT = bytesOf(100_000);
export const NAME = nameOf(CONTENT);
export const OTHER = nameOf(bytesOf(100_000, 'b'));

async function* brokenOff(bytes: Uint8Array): Bytes {
  yield* streamOf(bytes);
  throw new Error('The client went away');
}

/** Streams bytes in pieces that lie in the same memory, one after the other. */
async function* inOneMemory(bytes: Uint8Array): Bytes {
  const memory = Buffer.alloc(30_000);
  for await (const piece of streamOf(bytes, memory.length)) {
    memory.set(piece);
    yield memory.subarray(0, piece.length);
    memory.fill(0);
  }
}

interface Options {
  /** Services accept no parts smaller than 5 MiB, except for the last. */
  readonly partBytes?: number;
  /** Whether the store is an S3 test server that itself fails in races and at unknown uploads. */
  readonly isFragile?: boolean;
}

/** Defines the tests that every store must pass. */
export function describeStore(
  where: string,
  open: () => Promise<StoreFixture>,
  { partBytes = 30_000, isFragile = false }: Options = {},
): void {
  describe(where, () => {
    let fixture: StoreFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(async () => {
      await fixture[Symbol.asyncDispose]();
    });

    test('returns a stored blob, whole and in ranges, and knows its size', async () => {
      const { store } = fixture;
      await store.put(NAME, streamOf(CONTENT));
      expect(await store.head(NAME.sha256)).toEqual({ size: NAME.size });
      expect(await contentOf(await store.get(NAME.sha256))).toEqual(CONTENT);
      for (const [first, last] of [
        [0, 0],
        [10, 99],
        [99_999, 99_999],
        [0, 99_999],
      ] as const)
        expect(await contentOf(await store.get(NAME.sha256, { first, last }))).toEqual(
          CONTENT.subarray(first, last + 1),
        );
      expect(await fixture.stored()).toEqual([NAME.sha256]);
    });

    test.each([1_000, 17 * 1024 * 1024])('stages %i bytes, whose name is known at the end', async (size) => {
      const { store } = fixture;
      const bytes = bytesOf(size, 'staged');
      const { name, commit, discard } = await store.stage(size, streamOf(bytes, 300_000));
      expect(name).toEqual(nameOf(bytes));
      expect(await store.head(name.sha256)).toBeUndefined();
      await commit();
      expect((await contentOf(await store.get(name.sha256))).equals(bytes)).toBe(true);
      await discard();
      expect(await fixture.stored()).toEqual([name.sha256]);
    });

    test('keeps no piece that is only lent', async () => {
      const { store } = fixture;
      const [bytes, other] = [bytesOf(9 * 1024 * 1024, 'lent'), bytesOf(100_000, 'lent')];
      await (await store.stage(bytes.length, { lent: inOneMemory(bytes) })).commit();
      await store.put(nameOf(other), { lent: inOneMemory(other) });
      for (const sent of [bytes, other]) {
        const { sha256, size } = nameOf(sent);
        expect((await contentOf(await store.get(sha256))).equals(sent)).toBe(true);
        const copies: Buffer[] = [];
        for await (const piece of await store.lend(sha256, { first: 1, last: size - 2 }))
          copies.push(Buffer.from(piece));
        expect(Buffer.concat(copies).equals(sent.subarray(1, size - 1))).toBe(true);
      }
    });

    test('staged bytes that are discarded, too many, or cut off leave nothing', async () => {
      const { store } = fixture;
      for (const size of [1_000, 9 * 1024 * 1024]) {
        const bytes = bytesOf(size, 'staged');
        await (await store.stage(size, streamOf(bytes, 300_000))).discard();
        await expect(store.stage(size - 1, streamOf(bytes, 300_000))).rejects.toMatchObject({ fault: 'mismatch' });
        await expect(store.stage(size, brokenOff(bytes))).rejects.toThrow('The client went away');
      }
      expect(await fixture.stored()).toEqual([]);
    });

    test('stores an empty blob', async () => {
      const empty = nameOf(new Uint8Array());
      await fixture.store.put(empty, streamOf(new Uint8Array()));
      expect(await fixture.store.head(empty.sha256)).toEqual({ size: 0 });
      expect(await contentOf(await fixture.store.get(empty.sha256))).toHaveLength(0);
    });

    test('does not find a blob that was not stored, or was deleted', async () => {
      const { store } = fixture;
      expect(await store.head(NAME.sha256)).toBeUndefined();
      await expect(store.get(NAME.sha256)).rejects.toMatchObject({ fault: 'missing' });
      await store.put(NAME, streamOf(CONTENT));
      await store.delete(NAME.sha256);
      await store.delete(NAME.sha256);
      expect(await store.head(NAME.sha256)).toBeUndefined();
      expect(await fixture.stored()).toEqual([]);
    });

    test.each([
      ['other bytes', OTHER, streamOf(CONTENT)],
      ['too few', NAME, streamOf(CONTENT.subarray(1))],
      ['too many', { ...NAME, size: NAME.size - 1 }, streamOf(CONTENT)],
      ['none', NAME, streamOf(new Uint8Array())],
    ])('refuses %s than announced, and stores nothing', async (_what, name, bytes) => {
      await expect(fixture.store.put(name, bytes)).rejects.toMatchObject({ fault: 'mismatch' });
      expect(await fixture.stored()).toEqual([]);
    });

    test('stores nothing of a stream that breaks off, even at its last byte', async () => {
      await expect(fixture.store.put(NAME, brokenOff(CONTENT.subarray(0, 50_000)))).rejects.toThrow();
      await expect(fixture.store.put(NAME, brokenOff(CONTENT))).rejects.toThrow();
      expect(await fixture.stored()).toEqual([]);
    });

    test.skipIf(isFragile)('accepts the same blob many times at once', async () => {
      const { store } = fixture;
      await Promise.all(Array.from({ length: 8 }, () => store.put(NAME, streamOf(CONTENT))));
      expect(await contentOf(await store.get(NAME.sha256))).toEqual(CONTENT);
      expect(await fixture.stored()).toEqual([NAME.sha256]);
    });

    test('continues to serve a blob while others try to store wrong bytes under its name', async () => {
      const { store } = fixture;
      await store.put(NAME, streamOf(CONTENT));
      await expect(store.put(NAME, streamOf(bytesOf(100_000, 'b')))).rejects.toMatchObject({ fault: 'mismatch' });
      expect(await contentOf(await store.get(NAME.sha256))).toEqual(CONTENT);
    });

    describe('with parts', () => {
      const WHOLE = bytesOf(3 * partBytes + 10_000);
      const FILE = nameOf(WHOLE);
      const ANOTHER = { ...OTHER, size: FILE.size };
      const pieceOf = (number: number) => WHOLE.subarray((number - 1) * partBytes, number * partBytes);

      async function putPart(upload: string, number: number, bytes = pieceOf(number)): Promise<PartTag> {
        return { number, etag: await fixture.store.parts.put(upload, { number, size: bytes.length }, streamOf(bytes)) };
      }

      test('joins them in the order of their numbers, in whatever order they arrive, even twice', async () => {
        const { parts } = fixture.store;
        const upload = await parts.begin(FILE);
        const tags = [await putPart(upload, 4), ...(await Promise.all([2, 1, 3].map((at) => putPart(upload, at))))];
        expect(await putPart(upload, 2)).toEqual(tags[1]);
        expect(tags.every(({ etag }) => /^"[^"]+"$/.test(etag))).toBe(true);
        await parts.complete(upload, FILE, tags);
        // Comparing millions of elements one by one would take minutes.
        expect((await contentOf(await fixture.store.get(FILE.sha256))).equals(WHOLE)).toBe(true);
        expect(await fixture.stored()).toEqual([FILE.sha256]);
        if (!isFragile) await expect(parts.complete(upload, FILE, tags)).rejects.toMatchObject({ fault: 'part' });
      });

      test('uses the later one of two that differ', async () => {
        const { parts } = fixture.store;
        const upload = await parts.begin(FILE);
        const wrong = await putPart(upload, 1, bytesOf(partBytes, 'b'));
        const tags = await Promise.all([1, 2, 3, 4].map((at) => putPart(upload, at)));
        await expect(parts.complete(upload, FILE, [wrong, ...tags.slice(1)])).rejects.toMatchObject({ fault: 'part' });
        await parts.complete(upload, FILE, tags);
        expect(await fixture.stored()).toEqual([FILE.sha256]);
      });

      test('stores nothing if together they have another hash', async () => {
        const { parts } = fixture.store;
        const upload = await parts.begin(ANOTHER);
        const tags = await Promise.all([1, 2, 3, 4].map((at) => putPart(upload, at)));
        await expect(parts.complete(upload, ANOTHER, tags)).rejects.toMatchObject({ fault: 'mismatch' });
        expect(await fixture.stored()).toEqual([]);
      });

      test('refuses a part that is longer or shorter than announced', async () => {
        const { parts } = fixture.store;
        const upload = await parts.begin(FILE);
        for (const size of [partBytes - 1, partBytes + 1])
          await expect(parts.put(upload, { number: 1, size }, streamOf(pieceOf(1)))).rejects.toMatchObject({
            fault: 'mismatch',
          });
        await parts.abort(upload);
        await parts.abort(upload);
        expect(await fixture.stored()).toEqual([]);
      });

      test.skipIf(isFragile)('refuses uploads that it did not begin', async () => {
        const { parts } = fixture.store;
        const begun = await parts.begin(FILE);
        await parts.abort(begun);
        for (const upload of [begun, '../../../etc', 'f'.repeat(32), `uploads/${'f'.repeat(32)} none`, ''])
          await expect(putPart(upload, 1)).rejects.toMatchObject({ fault: 'part' });
      });
    });
  });
}
