import type { Readable } from 'node:stream';

/** A blob, identified by its content. */
export interface BlobName {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly size: number;
}

/** A range of bytes, including both ends. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export type Bytes = AsyncIterable<Uint8Array>;

/** Bytes whose pieces are lent: the sender uses the memory of each again as soon as the next one is asked for. */
export interface LentBytes {
  readonly lent: Bytes;
}

/** A part of a multipart upload. */
export interface Part {
  /** Counted from 1. */
  readonly number: number;
  readonly size: number;
}

/** A store's receipt for a part, which completing the upload requires. */
export interface PartTag {
  readonly number: number;
  /** As the store returned it, including quotes. */
  readonly etag: string;
}

/** Multipart uploads. Parts may arrive in any order, concurrently and repeatedly. */
export interface MultipartUploads {
  /** Returns the id of a new upload. */
  begin(blob: BlobName): Promise<string>;
  /** Returns the entity tag of the part. */
  put(upload: string, part: Part, bytes: Bytes): Promise<string>;
  /** Joins the parts to a blob if SHA-256 and size match; otherwise deletes them. */
  complete(upload: string, blob: BlobName, parts: readonly PartTag[]): Promise<void>;
  abort(upload: string): Promise<void>;
}

/** The ages (since the last write) at which unfinished streams and uploads are deleted. */
export interface UnfinishedAges {
  readonly streamsOlderThanMs: number;
  readonly uploadsOlderThanMs: number;
}

export interface SignedUrlOptions {
  readonly seconds: number;
  /** Response headers of the bucket. */
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** Bytes under a temporary name, until they are given the name of their SHA-256. */
export interface StagedBlob {
  readonly name: BlobName;
  /** Gives the bytes their name. */
  readonly commit: () => Promise<void>;
  /** Deletes the bytes under the temporary name, if they still have it. */
  readonly discard: () => Promise<void>;
}

/** A store of large files. A blob is stored completely or not at all, and its content matches its name. */
export interface BlobStore {
  /** Stores a blob. Throws a `BlobError` and stores nothing if the bytes do not match. */
  put(blob: BlobName, bytes: Bytes | LentBytes): Promise<void>;
  /**
   * Stores bytes whose SHA-256 is not known before. If nobody commits or discards them, `sweep` deletes them. Throws a
   * `BlobError` for more than `maxBytes`.
   */
  stage(maxBytes: number, bytes: Bytes | LentBytes): Promise<StagedBlob>;
  /** Returns a blob, or a range within it. */
  get(sha256: string, range?: ByteRange): Promise<Readable>;
  /** Returns a range of a blob, which must be read, in pieces that last until the next one is asked for. */
  lend(sha256: string, range: ByteRange): Promise<Bytes>;
  head(sha256: string): Promise<{ readonly size: number } | undefined>;
  /** Deletes a blob if it exists. */
  delete(sha256: string): Promise<void>;
  readonly parts: MultipartUploads;
  /** Returns a URL at which anybody can read a blob for a while; only some stores have such URLs. */
  readonly signedUrl?: (sha256: string, options: SignedUrlOptions) => string;
  /** Deletes abandoned streams and uploads. */
  sweep(unfinished: UnfinishedAges): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The kinds of errors of a store:
 *
 * - `mismatch`: the bytes do not match the announced name.
 * - `part`: a part is missing or differs from the announced one.
 * - `missing`: the blob does not exist.
 * - `full`: no space is left.
 * - `unavailable`: the store does not work at the moment.
 */
export type BlobFault = 'mismatch' | 'part' | 'missing' | 'full' | 'unavailable';

/** An error of a store whose message may be shown to callers. */
export class BlobError extends Error {
  override name = 'BlobError';
  readonly fault: BlobFault;

  constructor(fault: BlobFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

export const missingBlob = () => new BlobError('missing', 'The file is not in the storage of this hub');
export const unknownUpload = () =>
  new BlobError('part', 'This upload is over, or there never was one; ask for new addresses');
export const wrongParts = (reason: string) => new BlobError('part', `The parts do not make the file: ${reason}`);
