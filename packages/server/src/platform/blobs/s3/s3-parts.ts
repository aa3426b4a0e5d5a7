import { createHash, randomBytes } from 'node:crypto';
import {
  BlobError,
  type BlobName,
  type Bytes,
  type PartTag,
  type PartUploads,
  unknownUpload,
  wrongParts,
} from '../blob-store.ts';
import { counted, verified, verify } from '../verified.ts';
import { element, requireStatus, type S3Answer, type S3Requests } from './s3-requests.ts';
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

interface Place {
  readonly key: string;
  readonly id: string;
}

/**
 * Multipart uploads to S3. The parts are joined under a temporary key, verified there, and then copied to the key that
 * contains their SHA-256.
 */
export function createS3Parts({ s3, keyOf }: Options) {
  async function begin(key: string): Promise<Place> {
    const answer = await s3.send({ method: 'POST', key, query: { uploads: '' }, payloadHash: sha256Of('') });
    const id = element(await (await requireStatus(answer, 200)).body.text(), 'UploadId');
    if (id === undefined) throw new BlobError('unavailable', 'The storage of large files began no upload');
    return { key, id };
  }

  async function putPart({ key, id }: Place, number: number, size: number, bytes: Bytes): Promise<string> {
    const answer = await s3.send({
      ...{ method: 'PUT', key, query: { partNumber: String(number), uploadId: id } },
      headers: { 'content-length': String(size) },
      ...{ body: bytes, payloadHash: UNSIGNED_PAYLOAD },
    });
    if (answer.status === 404) return forget(answer);
    await (await requireStatus(answer, 200)).body.dump();
    return String(answer.headers.etag);
  }

  async function join({ key, id }: Place, parts: readonly PartTag[]): Promise<void> {
    const list = [...parts].sort((a, b) => a.number - b.number);
    const body = `<CompleteMultipartUpload>${list
      .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`)
      .join('')}</CompleteMultipartUpload>`;
    const answer = await s3.send({
      ...{ method: 'POST', key, query: { uploadId: id }, body, payloadHash: sha256Of(body) },
      headers: { 'content-type': 'application/xml' },
    });
    if (answer.status === 404) return forget(answer);
    const text = await answer.body.text();
    if (answer.status === 400) throw wrongParts(element(text, 'Code') ?? 'the storage refuses them');
    // S3 sends the status before it joins the parts, so that an error may follow in the body.
    if (answer.status !== 200 || text.includes('<Error>'))
      throw new BlobError('unavailable', 'The storage of large files did not join the parts');
  }

  async function end({ key, id }: Place): Promise<void> {
    const answer = await s3.send({ method: 'DELETE', key, query: { uploadId: id }, payloadHash: sha256Of('') });
    await (await requireStatus(answer, 200, 204, 404)).body.dump();
  }

  async function copy(from: string, { sha256, size }: BlobName): Promise<void> {
    const place = await begin(keyOf(sha256));
    const tags: PartTag[] = [];
    for (let first = 0; first < size; first += COPY_PART_BYTES) {
      const number = tags.length + 1;
      const last = Math.min(first + COPY_PART_BYTES, size) - 1;
      const answer = await s3.send({
        ...{ method: 'PUT', key: place.key, query: { partNumber: String(number), uploadId: place.id } },
        headers: {
          'x-amz-copy-source': `/${s3.bucketName}/${from}`,
          'x-amz-copy-source-range': `bytes=${first}-${last}`,
        },
        payloadHash: sha256Of(''),
      });
      const etag = element(await (await requireStatus(answer, 200)).body.text(), 'ETag');
      if (etag === undefined) throw new BlobError('unavailable', 'The storage of large files copied nothing');
      tags.push({ number, etag });
    }
    await join(place, tags);
  }

  async function deleteObject(key: string): Promise<void> {
    const answer = await s3.send({ method: 'DELETE', key, payloadHash: sha256Of('') });
    await (await requireStatus(answer, 200, 204, 404)).body.dump();
  }

  const uploads: PartUploads = {
    begin: async () => textOf(await begin(`uploads/${randomBytes(16).toString('hex')}`)),
    put: (upload, { number, size }, bytes) => putPart(placeOf(upload), number, size, counted(size, bytes)),

    async complete(upload, blob, parts) {
      const place = placeOf(upload);
      await join(place, parts);
      try {
        const answer = await s3.send({ method: 'GET', key: place.key, payloadHash: sha256Of('') });
        await verify(blob, (await requireStatus(answer, 200)).body);
        await copy(place.key, blob);
      } finally {
        await deleteObject(place.key);
      }
    },

    abort: (upload) => end(placeOf(upload)),
  };

  return {
    ...uploads,

    /** Stores a blob that arrives as one stream and is too large for a single request. */
    async putWhole(blob: BlobName, bytes: Bytes): Promise<void> {
      const place = await begin(keyOf(blob.sha256));
      const take = cut(verified(blob, bytes));
      const tags: PartTag[] = [];
      try {
        for (let left = blob.size; left > 0; left -= STREAM_PART_BYTES) {
          const [number, size] = [tags.length + 1, Math.min(left, STREAM_PART_BYTES)];
          tags.push({ number, etag: await putPart(place, number, size, take(size)) });
        }
        await join(place, tags);
      } catch (error) {
        await end(place);
        throw error;
      }
    },
  };
}

/** Splits a stream: each call returns the next `size` bytes. */
function cut(bytes: AsyncIterator<Uint8Array>) {
  let rest: Uint8Array = new Uint8Array();
  return async function* take(size: number): AsyncGenerator<Uint8Array, void> {
    for (let left = size; left > 0; ) {
      if (rest.length === 0) {
        const next = await bytes.next();
        if (next.done) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  };
}

async function forget(answer: S3Answer): Promise<never> {
  await answer.body.dump();
  throw unknownUpload();
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

const textOf = ({ key, id }: Place): string => `${key} ${id}`;

function placeOf(upload: string): Place {
  const [, key, id] = /^(uploads\/[0-9a-f]{32}) (\S+)$/.exec(upload) ?? [];
  if (key === undefined || id === undefined) throw unknownUpload();
  return { key, id };
}
