import type { Bytes } from '../platform/blobs/blob-store.ts';
import { HubError } from '../platform/http/errors.ts';
import { MAX_SHARD_BYTES } from '../platform/xet/shard.ts';
import { tooLarge } from './faults.ts';

/** The shards that all users together, and one user, can have in memory. */
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
const MAX_USER_BYTES = MAX_SHARD_BYTES;

/** A shard in memory, until it is disposed of. */
export interface HeldShard extends Disposable {
  readonly bytes: Buffer;
}

/** Reads shards into memory, within limits. */
export function createShardBodies() {
  const bytesOf = new Map<string, number>();
  let total = 0;

  function count(userId: string, bytes: number): void {
    const own = (bytesOf.get(userId) ?? 0) + bytes;
    total += bytes;
    if (own > 0) bytesOf.set(userId, own);
    else bytesOf.delete(userId);
    if (bytes > 0 && (own > MAX_USER_BYTES || total > MAX_TOTAL_BYTES)) throw tooMany();
  }

  /** Throws 413 for a shard that is too large, 503 if too many are in memory. */
  return async (userId: string, body: Bytes): Promise<HeldShard> => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    const release = () => count(userId, -size);
    try {
      for await (const piece of body) {
        if (size + piece.length > MAX_SHARD_BYTES) throw tooLarge('A shard', MAX_SHARD_BYTES);
        size += piece.length;
        pieces.push(piece);
        count(userId, piece.length);
      }
    } catch (error) {
      release();
      throw error;
    }
    return { bytes: Buffer.concat(pieces), [Symbol.dispose]: release };
  };
}

const tooMany = () =>
  new HubError(503, 'The hub works on too many uploads at the moment; try again in a minute', {
    headers: { 'retry-after': '60' },
  });
