import type { LargeFiles } from '../../content/index.ts';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { createPause } from '../../platform/cooperative.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { badRequest, HubError, notFound } from '../../platform/http/errors.ts';
import { byteRanges } from '../../platform/http/ranges/byte-ranges.ts';
import { createChangeWindows } from '../../platform/xet/change-windows.ts';
import type { ChunkList } from '../../platform/xet/chunk-list.ts';
import { textOfHash } from '../../platform/xet/hash-text.ts';
import type { TreeNode } from '../../platform/xet/hash-tree.ts';
import { hashTerm } from '../../platform/xet/keyed-hashes.ts';
import { createPartialTree, type PartialTree } from '../../platform/xet/partial-tree.ts';
import type { XetCaller } from '../access.ts';
import { findFile, xorbsWithin } from './file-store.ts';
import { filesOf, readList } from './reconstructions.ts';

interface Dependencies {
  readonly read: ReadExecutor;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'readHeld'>;
}

/** The first byte of a window, and the one after its last. */
interface ChangedBytes {
  readonly dirtyByteRange: [first: number, end: number];
}

/** Collects the chunks of a file, one xorb after the other. */
export function createPlan(changed: readonly ByteRange[]) {
  const changes = createChangeWindows(changed);
  const { windows } = changes;
  const trees: ReturnType<PartialTree['end']>[] = [];
  const proofs: string[] = [];
  let tree = createPartialTree(true);
  let chunks = 0;

  function add(list: ChunkList): void {
    let outside: TreeNode[] = [];
    let isTouched = false;
    for (let chunk = 0; chunk < list.chunks; chunk++) {
      const before = windows.length;
      const bytes = list.length(chunk);
      if (!changes.take(bytes)) {
        // The list is much larger than the few hashes that remain of it.
        outside.push({ hash: Buffer.from(list.hash(chunk)), bytes });
        continue;
      }
      isTouched = true;
      if (windows.length === before) continue;
      tree.add(outside);
      trees.push(tree.end(false));
      tree = createPartialTree(false);
      outside = [];
    }
    tree.add(outside);
    if (!isTouched) proofs.push(textOfHash(hashTerm(list.hashes(0, list.chunks))));
    chunks += list.chunks;
  }

  return {
    add,
    end: () => ({
      totalChunks: chunks,
      windows: windows.map(({ start, end }): ChangedBytes => ({ dirtyByteRange: [start, end] })),
      hashRanges: [...trees, tree.end(true)],
      gapVerification: proofs,
    }),
  };
}

/**
 * Returns the function that tells a client which parts of a file it has to cut into chunks again when it changes some ranges,
 * and what it needs of the others. The terms are those of a reconstruction of the whole file.
 */
export function createFileChanges({ read, clock, largeFiles }: Dependencies) {
  return async ({ repo }: XetCaller<ReadingCaller>, hash: string, header: string | undefined) => {
    const changed = byteRanges(header);
    if (!changed)
      throw badRequest('The header X-Range-Dirty must have ranges in ascending order, such as bytes=0-9,20-29');
    const file = await findFile(read, filesOf(repo, clock.now()), hash);
    if (!file) throw notFound('The repository has no file with this hash');
    if (changed.some(({ first }) => first >= file.size))
      throw new HubError(416, `The file has ${file.size} bytes; a range lies beyond its end`);
    const plan = createPlan(changed);
    const pause = createPause();
    for (const xorb of await xorbsWithin(read, file.sha256, { first: 0, last: file.size - 1 })) {
      plan.add(await readList(largeFiles, file.chunks_sha256, xorb));
      const waiting = pause();
      if (waiting) await waiting;
    }
    return { fileSize: file.size, ...plan.end() };
  };
}
