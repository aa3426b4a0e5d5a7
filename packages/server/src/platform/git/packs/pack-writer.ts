import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type DurableFiles, makeFolder, syncFolder } from '../../durable-folders.ts';
import { deflate } from '../compression.ts';
import { newPackName, temporaryName, writeNewFile } from '../durable-files.ts';
import type { NamedObject } from '../objects/object.ts';
import type { KeepPack } from './finished-pack.ts';
import { encodeEntryHeader } from './pack-entry.ts';
import { encodeIndex, type IndexEntry } from './pack-index.ts';

const HEADER = 12;
const CHUNK = 1024 * 1024;
/** Entries are written together; a write also lets others use the event loop. */
const MAX_PENDING = 64;
const MAX_PENDING_BYTES = 256 * 1024;

function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  return header;
}

export type PackWriter = Awaited<ReturnType<typeof createPackWriter>>;

/** Writes a pack without deltas, object by object; the pack is invisible before `finish`. */
export async function createPackWriter(folder: string, files: DurableFiles) {
  await makeFolder(folder, files);
  const [temporary, temporaryIndex] = [temporaryName(folder), temporaryName(folder)];
  const handle: FileHandle = await open(temporary, 'wx+', 0o600);
  const entries: IndexEntry[] = [];
  /** The end of the pack, including pending entries. */
  let end = HEADER;
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  async function hashOfPack(): Promise<Buffer> {
    const hash = createHash('sha1');
    const bytes = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; at < end; ) {
      const { bytesRead } = await handle.read(bytes, 0, Math.min(CHUNK, end - at), at);
      hash.update(bytes.subarray(0, bytesRead));
      at += bytesRead;
    }
    return hash.digest();
  }

  /** Writes all bytes at a position: one call may write only some of them while the disk is filling up. */
  async function write(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; )
      at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }

  async function writePending(): Promise<void> {
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    await write(bytes, end - bytes.length);
  }

  /** Completes the file and returns the hash of the pack. */
  async function seal(): Promise<Buffer> {
    await writePending();
    await write(packHeader(entries.length), 0);
    const hash = await hashOfPack();
    await write(hash, end);
    return hash;
  }

  async function discard(): Promise<void> {
    await handle.close();
    for (const path of [temporary, temporaryIndex]) await rm(path, { force: true });
  }

  async function sync(): Promise<void> {
    if (files.durable) await handle.sync();
  }

  /** Completes pack and index under temporary names; returns the name of the pack. */
  async function complete(keep: KeepPack | undefined): Promise<string> {
    const hash = await seal();
    const name = `pack-${hash.toString('hex')}`;
    await writeNewFile(temporaryIndex, (index) => index.writeFile(encodeIndex(entries, hash)), files);
    const sizes = { bytes: end + hash.length, objects: entries.length };
    const pack = { name, packPath: temporary, indexPath: temporaryIndex, ...sizes, hasDeltas: false };
    await Promise.all([sync(), keep?.(pack)]);
    await handle.close();
    return name;
  }

  return {
    async add({ id, type, body }: NamedObject): Promise<void> {
      const entry = Buffer.concat([encodeEntryHeader(type, body.length), await deflate(body)]);
      entries.push({ id, crc: crc32(entry), offset: end });
      end += entry.length;
      pending.push(entry);
      pendingBytes += entry.length;
      if (pending.length >= MAX_PENDING || pendingBytes >= MAX_PENDING_BYTES) await writePending();
    },

    /**
     * Gives the pack its final name and writes its index; both are on the disk, and kept, when the promise resolves. If it
     * rejects, nothing of the pack is left.
     */
    async finish(keep?: KeepPack): Promise<void> {
      const name = await complete(keep).catch(async (error: unknown) => {
        await discard();
        throw error;
      });
      // Only a pack that is kept elsewhere has the name of its content.
      const path = join(folder, keep ? name : newPackName());
      await rename(temporary, `${path}.pack`);
      await rename(temporaryIndex, `${path}.idx`);
      await syncFolder(folder, files);
    },

    discard,
  };
}
