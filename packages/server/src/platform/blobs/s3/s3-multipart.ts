import { createHash } from 'node:crypto';
import { BlobError, type BlobName, type Bytes, type PartTag, unknownUpload } from '../blob-store.ts';
import { element, NO_BODY, requireStatus, type S3Answer, type S3Requests, textOf } from './s3-requests.ts';
import { UNSIGNED_PAYLOAD } from './signature.ts';

const COPY_PART_BYTES = 1024 * 1024 * 1024;

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface UploadLocation {
  readonly key: string;
  readonly id: string;
}

export type S3Multipart = ReturnType<typeof createS3Multipart>;

/** The requests of S3 for objects that are made of parts. */
export function createS3Multipart(s3: S3Requests, keyOf: (sha256: string) => string) {
  async function begin(key: string): Promise<UploadLocation> {
    const answer = await s3.send({ method: 'POST', key, query: { uploads: '' }, payloadHash: NO_BODY });
    const id = element(await textOf(await requireStatus(answer, 200)), 'UploadId');
    if (id === undefined) throw new BlobError('unavailable', 'The storage of large files began no upload');
    return { key, id };
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

  /** Repeats the request if it fails and the bytes are given as a function. */
  async function putPart(
    { key, id }: UploadLocation,
    number: number,
    size: number,
    bytes: Bytes | (() => Bytes),
  ): Promise<string> {
    const answer = await s3.send({
      ...{ method: 'PUT', key, query: { partNumber: String(number), uploadId: id } },
      headers: { 'content-length': String(size) },
      ...{ body: bytes, payloadHash: UNSIGNED_PAYLOAD },
    });
    if (answer.status === 404) return throwUnknownUpload(answer);
    await (await requireStatus(answer, 200)).body.dump();
    return String(answer.headers.etag);
  }

  async function abort({ key, id }: UploadLocation): Promise<void> {
    const answer = await s3.send({ method: 'DELETE', key, query: { uploadId: id }, payloadHash: NO_BODY });
    await (await requireStatus(answer, 200, 204, 404)).body.dump();
  }

  /** Copies an object within the bucket to the key of a blob. */
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

  return { begin, join, putPart, abort, copy, deleteObject };
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
