import { createHash, randomBytes } from 'node:crypto';
import {
  BlobError,
  type BlobName,
  type Bytes,
  type MultipartUploads,
  type PartTag,
  unknownUpload,
  wrongParts,
} from '../blob-store.ts';
import { counted, verified, verify } from '../verified.ts';
import { leftoversOf } from './s3-leftovers.ts';
import { bytesOf, element, NO_BODY, requireStatus, type S3Answer, type S3Requests, textOf } from './s3-requests.ts';
import { UNSIGNED_PAYLOAD } from './signature.ts';

const MEBIBYTE = 1024 * 1024;
/** The maximum size of an object that S3 accepts or copies in one request. */
export const MAX_SINGLE_BYTES = 5 * 1024 * MEBIBYTE;
/** The part size of a blob that arrives as one stream; S3 allows 10,000 parts. */
const STREAM_PART_BYTES = 64 * MEBIBYTE;
const COPY_PART_BYTES = 1024 * MEBIBYTE;

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Options {
  readonly s3: S3Requests;
  readonly keyOf: (sha256: string) => string;
}

interface UploadLocation {
  readonly key: string;
  readonly id: string;
}

/**
 * Multipart uploads to S3. The parts are joined under a temporary key, verified there, and then copied to the key that
 * contains their SHA-256.
 */
export function createS3Parts({ s3, keyOf }: Options) {
  async function begin(key: string): Promise<UploadLocation> {
    const answer = await s3.send({ method: 'POST', key, query: { uploads: '' }, payloadHash: NO_BODY });
    const id = element(await textOf(await requireStatus(answer, 200)), 'UploadId');
    if (id === undefined) throw new BlobError('unavailable', 'The storage of large files began no upload');
    return { key, id };
  }

  async function putPart({ key, id }: UploadLocation, number: number, size: number, bytes: Bytes): Promise<string> {
    const answer = await s3.send({
      ...{ method: 'PUT', key, query: { partNumber: String(number), uploadId: id } },
      headers: { 'content-length': String(size) },
      ...{ body: bytes, payloadHash: UNSIGNED_PAYLOAD },
    });
    if (answer.status === 404) return throwUnknownUpload(answer);
    await (await requireStatus(answer, 200)).body.dump();
    return String(answer.headers.etag);
  }

  /** Throws the error of `onRefusal`, given a code of the bucket, if the bucket has other parts than these. */
  async function join(
    { key, id }: UploadLocation,
    parts: readonly PartTag[],
    onRefusal: (code: string) => BlobError = lostParts,
  ): Promise<void> {
    const list = [...parts].sort((a, b) => a.number - b.number);
    const body = `<CompleteMultipartUpload>${list
      .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`)
      .join('')}</CompleteMultipartUpload>`;
    const answer = await s3.send({
      ...{ method: 'POST', key, query: { uploadId: id }, body, payloadHash: sha256Of(body) },
      headers: { 'content-type': 'application/xml' },
    });
    if (answer.status === 404) return throwUnknownUpload(answer);
    const text = await textOf(answer);
    if (answer.status === 400) throw onRefusal(element(text, 'Code') ?? 'the storage refuses them');
    // S3 sends the status before it joins the parts, so that an error may follow in the body.
    if (answer.status !== 200 || text.includes('<Error>'))
      throw new BlobError('unavailable', 'The storage of large files did not join the parts');
  }

  async function abort({ key, id }: UploadLocation): Promise<void> {
    const answer = await s3.send({ method: 'DELETE', key, query: { uploadId: id }, payloadHash: NO_BODY });
    await (await requireStatus(answer, 200, 204, 404)).body.dump();
  }

  async function copy(from: string, { sha256, size }: BlobName): Promise<void> {
    const location = await begin(keyOf(sha256));
    const tags: PartTag[] = [];
    for (let first = 0; first < size; first += COPY_PART_BYTES) {
      const number = tags.length + 1;
      const last = Math.min(first + COPY_PART_BYTES, size) - 1;
      const answer = await s3.send({
        ...{ method: 'PUT', key: location.key, query: { partNumber: String(number), uploadId: location.id } },
        headers: {
          'x-amz-copy-source': `/${s3.bucketName}/${from}`,
          'x-amz-copy-source-range': `bytes=${first}-${last}`,
        },
        payloadHash: NO_BODY,
      });
      const etag = element(await textOf(await requireStatus(answer, 200)), 'ETag');
      if (etag === undefined) throw new BlobError('unavailable', 'The storage of large files copied nothing');
      tags.push({ number, etag });
    }
    await join(location, tags);
  }

  async function deleteObject(key: string): Promise<void> {
    const answer = await s3.send({ method: 'DELETE', key, payloadHash: NO_BODY });
    await (await requireStatus(answer, 200, 204, 404)).body.dump();
  }

  const uploads: MultipartUploads = {
    begin: async () => formatUploadId(await begin(`uploads/${randomBytes(16).toString('hex')}`)),
    put: (upload, { number, size }, bytes) => putPart(parseUploadId(upload), number, size, counted(size, bytes)),

    async complete(upload, blob, parts) {
      const location = parseUploadId(upload);
      await join(location, parts, wrongParts);
      try {
        const answer = await s3.send({ method: 'GET', key: location.key, payloadHash: NO_BODY });
        await verify(blob, bytesOf(await requireStatus(answer, 200)));
        await copy(location.key, blob);
      } finally {
        await deleteObject(location.key);
      }
    },

    abort: (upload) => abort(parseUploadId(upload)),
  };

  return {
    ...uploads,

    /** Deletes uploads that began before a time, and objects that were joined but never copied to their place. */
    async deleteLeftovers(before: number): Promise<void> {
      for await (const { key, uploadId } of leftoversOf(s3, before))
        await (uploadId === undefined ? deleteObject(key) : abort({ key, id: uploadId }));
    },

    /** Stores a blob that arrives as one stream and is too large for a single request. */
    async putWhole(blob: BlobName, bytes: Bytes): Promise<void> {
      const location = await begin(keyOf(blob.sha256));
      const takeNext = splitBytes(verified(blob, bytes));
      const tags: PartTag[] = [];
      try {
        for (let remaining = blob.size; remaining > 0; remaining -= STREAM_PART_BYTES) {
          const [number, size] = [tags.length + 1, Math.min(remaining, STREAM_PART_BYTES)];
          tags.push({ number, etag: await putPart(location, number, size, takeNext(size)) });
        }
        await join(location, tags);
      } catch (error) {
        await abort(location);
        throw error;
      }
    },
  };
}

/** Splits a stream: each call returns the next `size` bytes. */
function splitBytes(bytes: AsyncIterator<Uint8Array>) {
  let rest: Uint8Array = new Uint8Array();
  return async function* takeNext(size: number): AsyncGenerator<Uint8Array, void> {
    for (let remaining = size; remaining > 0; ) {
      if (rest.length === 0) {
        const next = await bytes.next();
        if (next.done) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, remaining);
      rest = rest.subarray(piece.length);
      remaining -= piece.length;
      yield piece;
    }
  };
}

async function throwUnknownUpload(answer: S3Answer): Promise<never> {
  await answer.body.dump();
  throw unknownUpload();
}

/** The error for parts that the hub sent itself, and that the bucket acknowledged. */
const lostParts = (code: string) =>
  new BlobError('unavailable', 'The storage of large files lost a part of the file; try again in a few seconds', {
    cause: new Error(`The bucket answered 400 ${code}`),
  });

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

const formatUploadId = ({ key, id }: UploadLocation): string => `${key} ${id}`;

function parseUploadId(upload: string): UploadLocation {
  const [, key, id] = /^(uploads\/[0-9a-f]{32}) (\S+)$/.exec(upload) ?? [];
  if (key === undefined || id === undefined) throw unknownUpload();
  return { key, id };
}
