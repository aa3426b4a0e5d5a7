import { buffer } from 'node:stream/consumers';
import type { RepoType } from '@moonbase/contract/primitives';
import { credentialIdsOf, type LargeFiles } from '../../content/index.ts';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';
import { byteRange } from '../../platform/http/ranges/byte-range.ts';
import { HEADER_BYTES } from '../../platform/xet/chunk-header.ts';
import { CHUNK_RECORD_BYTES, type ChunkList, readChunkList } from '../../platform/xet/chunk-list.ts';
import type { XetCaller } from '../access.ts';
import { unbroken } from '../faults.ts';
import { type FilesOfRepo, type FileXorb, findFile, type KnownFile, xorbsWithin } from './file-store.ts';
import type { RangeUrls } from './range-urls.ts';

/**
 * A file can be downloaded through Xet once a repository has had it for so long: the chunks of a file that another
 * repository had before are known at once, which nobody is to notice.
 */
const MIN_AGE_MS = 60_000;

/** Returns the files of a repository that can be downloaded through Xet now; a bucket shows each file at once. */
export const filesOf = ({ id, type }: { readonly id: string; readonly type?: RepoType }, now: number): FilesOfRepo => ({
  ...{ repoId: id, pushedBefore: type === 'bucket' ? now : now - MIN_AGE_MS },
});

interface Dependencies {
  readonly read: ReadExecutor;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'readHeld'>;
  readonly urls: RangeUrls;
}

/** Some chunks of a xorb, and the bytes that they take in it. */
interface XorbPart {
  readonly xorb: FileXorb;
  readonly start: number;
  /** The chunk after the last one. */
  readonly end: number;
  readonly firstByte: number;
  readonly lastByte: number;
  /** The size without headers. */
  readonly rawBytes: number;
  /** Where the first chunk begins in the file. */
  readonly offset: number;
}

export type Reconstruction = Awaited<ReturnType<ReturnType<typeof createReconstructions>>>;

/** Reads the chunks of a xorb of a file. */
export async function readList(
  largeFiles: Pick<LargeFiles, 'readHeld'>,
  chunks: string,
  { first_chunk, chunks: count }: Pick<FileXorb, 'first_chunk' | 'chunks'>,
): Promise<ChunkList> {
  const first = first_chunk * CHUNK_RECORD_BYTES;
  const range = { first, last: first + count * CHUNK_RECORD_BYTES - 1 };
  return readChunkList(await buffer(unbroken(await largeFiles.readHeld(chunks, range))));
}

const whole = (xorb: FileXorb): XorbPart => ({
  ...{ xorb, start: 0, end: xorb.chunks, firstByte: 0, lastByte: xorb.bytes + xorb.chunks * HEADER_BYTES - 1 },
  ...{ rawBytes: xorb.bytes, offset: xorb.first_byte },
});

/** Returns the function that tells of which chunks a file, or a range of it, consists, and where they are. */
export function createReconstructions({ read, clock, largeFiles, urls }: Dependencies) {
  /** Returns the chunks of a xorb that have some of the wanted bytes of the file. */
  async function partOf(xorb: FileXorb, { chunks_sha256 }: KnownFile, wanted: ByteRange): Promise<XorbPart> {
    const [first, last] = [wanted.first - xorb.first_byte, wanted.last - xorb.first_byte];
    if (first <= 0 && last >= xorb.bytes - 1) return whole(xorb);
    const list = await readList(largeFiles, chunks_sha256, xorb);
    const [start, end] = [list.chunkAt(Math.max(first, 0)), list.chunkAt(Math.min(last, xorb.bytes - 1)) + 1];
    return {
      ...{ xorb, start, end, firstByte: list.storedOffset(start), lastByte: list.storedOffset(end) - 1 },
      ...{ rawBytes: list.offset(end) - list.offset(start), offset: xorb.first_byte + list.offset(start) },
    };
  }

  return async ({ caller, repo }: XetCaller<ReadingCaller>, hash: string, rangeHeader: string | undefined) => {
    const file = await findFile(read, filesOf(repo, clock.now()), hash);
    if (!file) throw notFound('The repository has no file with this hash');
    const asked = byteRange(rangeHeader, file.size);
    if (asked === 'none')
      throw new HubError(416, `The file has ${file.size} bytes; the range lies beyond its end`, {
        headers: { 'content-range': `bytes */${file.size}` },
      });
    const wanted = asked === 'all' ? { first: 0, last: file.size - 1 } : asked;
    const parts: XorbPart[] = [];
    for (const xorb of await xorbsWithin(read, file.sha256, wanted)) parts.push(await partOf(xorb, file, wanted));
    // Clients look for the chunks of a term by the hash of the xorb; equal parts of a file are equal xorbs.
    const fetched = new Map<string, XorbPart>();
    for (const part of parts) {
      const known = fetched.get(part.xorb.hash);
      if (!known) fetched.set(part.xorb.hash, part);
      else if (part.start < known.start || part.end > known.end) fetched.set(part.xorb.hash, whole(part.xorb));
    }
    const by = { ...credentialIdsOf(caller.principal), repoId: repo.id, sha256: file.sha256 };
    return {
      offset: wanted.first - (parts[0]?.offset ?? 0),
      terms: parts.map(({ xorb, start, end, rawBytes }) => ({
        ...{ hash: xorb.hash, unpacked_length: rawBytes, range: { start, end } },
      })),
      fetches: [...fetched.values()].map(({ xorb, start, end, firstByte, lastByte }) => ({
        hash: xorb.hash,
        url: urls.urlFor(caller.baseUrl, { ...by, firstChunk: xorb.first_chunk, start, end }),
        chunks: { start, end },
        bytes: { start: firstByte, end: lastByte },
      })),
    };
  };
}

const fetchInfo = ({ url, chunks, bytes }: Reconstruction['fetches'][number]) => ({
  ...{ range: chunks, url, url_range: bytes },
});

/** The form of version 1. */
export const asVersion1 = ({ offset, terms, fetches }: Reconstruction) => ({
  ...{ offset_into_first_range: offset, terms },
  fetch_info: Object.fromEntries(fetches.map((fetch) => [fetch.hash, [fetchInfo(fetch)]])),
});

/** The form for several files, which may have xorbs in common. */
export function asBatch(files: readonly (Reconstruction & { readonly hash: string })[]) {
  const infos = new Map<string, ReturnType<typeof fetchInfo>[]>();
  for (const fetch of files.flatMap(({ fetches }) => fetches))
    infos.set(fetch.hash, [...(infos.get(fetch.hash) ?? []), fetchInfo(fetch)]);
  return {
    files: Object.fromEntries(files.map(({ hash, terms }) => [hash, terms])),
    fetch_info: Object.fromEntries(infos),
  };
}

/** The form of version 2. */
export const asVersion2 = ({ offset, terms, fetches }: Reconstruction) => ({
  ...{ offset_into_first_range: offset, terms },
  xorbs: Object.fromEntries(
    fetches.map(({ hash, url, chunks, bytes }) => [hash, [{ url, ranges: [{ chunks, bytes }] }]]),
  ),
});
