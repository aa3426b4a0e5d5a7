import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from '../../src/platform/blobs/blob-store.ts';
import { createS3Store } from '../../src/platform/blobs/s3/s3-store.ts';
import { signHeaders, signUrl } from '../../src/platform/blobs/s3/signature.ts';
import { errorForLog } from '../../src/platform/error-text.ts';
import { bytesOf, contentOf, nameOf, streamOf } from './bytes.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

/**
 * Examples of the AWS documentation: docs.aws.amazon.com/AmazonS3/latest/API, sig-v4-header-based-auth and
 * sigv4-query-string-auth.
 */
const EXAMPLE = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const EXAMPLE_TIME = Date.UTC(2013, 4, 24);
const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('requests are signed as AWS signs its examples', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
  const signed = signHeaders(EXAMPLE, { method: 'GET', url, headers: { range: 'bytes=0-9' } }, NO_BODY, EXAMPLE_TIME);
  expect(signed.authorization).toMatch(/Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/);
  const lifecycle = new URL('https://examplebucket.s3.amazonaws.com/?lifecycle');
  expect(
    signHeaders(EXAMPLE, { method: 'GET', url: lifecycle, headers: {} }, NO_BODY, EXAMPLE_TIME).authorization,
  ).toMatch(/Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543$/);
  expect(signUrl(EXAMPLE, 'GET', url, 86_400, EXAMPLE_TIME)).toMatch(
    /X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404$/,
  );
});

const CONTENT = bytesOf(50_000);
const NAME = nameOf(CONTENT);
let server: S3Server;
let store: BlobStore;
beforeEach(async () => {
  server = await startS3Server();
  store = createS3Store(server.bucket, () => Date.now());
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test('a signed address serves the blob, with the headers that it names, and nothing else', async () => {
  await store.put(NAME, streamOf(CONTENT));
  const disposition = `inline; filename*=UTF-8''a%20b(1)!.bin; filename="a b(1)!.bin";`;
  const options = { seconds: 60, contentType: 'application/x-test', contentDisposition: disposition };
  const url = store.signedUrl?.(NAME.sha256, options) ?? '';
  const answer = await fetch(url, { headers: { range: 'bytes=10-19' } });
  expect(answer.status).toBe(206);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(CONTENT.subarray(10, 20));
  expect(answer.headers.get('content-type')).toBe('application/x-test');
  expect(answer.headers.get('content-disposition')).toBe(disposition);
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
  expect((await fetch(url.replace('x-test', 'html'))).status).toBe(403);
  expect((await fetch(url.replace(NAME.sha256, 'f'.repeat(64)))).status).toBe(403);
  await using past = createS3Store(server.bucket, () => Date.now() - 61_000);
  expect((await fetch(past.signedUrl?.(NAME.sha256, options) ?? '')).status).toBe(403);
});

test('a request without a body is retried if the bucket fails, and one with a stream is not', async () => {
  await store.put(NAME, streamOf(CONTENT));
  let failures = 2;
  server.control.fault = () => (failures-- > 0 ? 503 : undefined);
  expect(await contentOf(await store.get(NAME.sha256))).toEqual(CONTENT);
  failures = 1;
  await expect(store.put(NAME, streamOf(CONTENT))).rejects.toMatchObject({ fault: 'unavailable' });
  failures = 3;
  await expect(store.head(NAME.sha256)).rejects.toMatchObject({ fault: 'unavailable' });
});

test('a bucket that is unreachable or refuses the keys is reported in one sentence, without keys and addresses', async () => {
  const wrong = createS3Store({ ...server.bucket, secretKey: 'another secret' }, () => Date.now());
  const refused = await wrong.get(NAME.sha256).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    fault: 'unavailable',
    cause: { message: 'The bucket answered 403 SignatureDoesNotMatch' },
  });
  const gone = createS3Store({ ...server.bucket, endpoint: 'http://127.0.0.1:1' }, () => Date.now());
  const failed = await gone.put(NAME, streamOf(CONTENT)).catch((error: unknown) => error);
  expect(failed).toMatchObject({ fault: 'unavailable' });
  for (const error of [refused, failed])
    expect(JSON.stringify(errorForLog(error))).not.toMatch(/another secret|secret of the bucket|AKIDTEST|Signature=/);
  await wrong[Symbol.asyncDispose]();
  await gone[Symbol.asyncDispose]();
});

test('an upload in parts, one of which the bucket loses, leaves nothing under the name of the blob', async () => {
  const upload = await store.parts.begin(NAME);
  const bytes = CONTENT.subarray(0, 25_000);
  const etag = await store.parts.put(upload, { number: 1, size: bytes.length }, streamOf(bytes));
  for (const { parts } of server.uploads.values()) parts.clear();
  await expect(store.parts.complete(upload, NAME, [{ number: 1, etag }])).rejects.toMatchObject({ fault: 'part' });
  expect([...server.objects.keys()]).toEqual([]);
});

test('a part that the bucket loses while it copies is a fault of the bucket, and can be sent again', async () => {
  const upload = await store.parts.begin(NAME);
  const etag = await store.parts.put(upload, { number: 1, size: NAME.size }, streamOf(CONTENT));
  server.control.losesPart = () => true;
  const complete = () => store.parts.complete(upload, NAME, [{ number: 1, etag }]);
  await expect(complete()).rejects.toMatchObject({ fault: 'unavailable' });
  expect([...server.objects.keys()]).toEqual([]);
  server.control.losesPart = undefined;
  const again = await store.parts.begin(NAME);
  const tag = await store.parts.put(again, { number: 1, size: NAME.size }, streamOf(CONTENT));
  await store.parts.complete(again, NAME, [{ number: 1, etag: tag }]);
  expect(await contentOf(await store.get(NAME.sha256))).toEqual(CONTENT);
});

test.each([
  ['begins an upload', 'POST'],
  ['reads what it has joined', 'GET'],
])('an answer that breaks off while the store %s is a fault of the bucket', async (_, method) => {
  const upload = await store.parts.begin(NAME);
  const etag = await store.parts.put(upload, { number: 1, size: NAME.size }, streamOf(CONTENT));
  server.control.fault = (asked, key) => (asked === method && key.startsWith('uploads/') ? 'cut' : undefined);
  const begun = method === 'POST' ? store.parts.begin(NAME) : store.parts.complete(upload, NAME, [{ number: 1, etag }]);
  await expect(begun).rejects.toMatchObject({ fault: 'unavailable' });
  expect([...server.objects.keys()]).toEqual([]);
});

test('unfinished uploads are eventually deleted, and nothing that others keep in the bucket', async () => {
  const blob = { sha256: NAME.sha256, size: 100 };
  const abandoned = [await store.parts.begin(blob), await store.parts.begin(blob)];
  await store.put(NAME, streamOf(CONTENT));
  const [upload] = server.uploads.values();
  server.uploads.set('of a copy', { ...upload!, key: `blobs/aa/${'a'.repeat(64)}` });
  server.uploads.set('of somebody else', { ...upload!, key: 'uploads/holiday.mov' });
  for (const key of [`uploads/${'b'.repeat(32)}`, `uploads/${'c'.repeat(32)}`, 'uploads/holiday.jpg'])
    server.objects.set(key, Buffer.from('joined, but not moved'));
  await store.sweep({ streamsOlderThanMs: 0, uploadsOlderThanMs: 60_000 });
  expect(server.uploads.size).toBe(abandoned.length + 2);
  expect(server.objects.size).toBe(4);
  await using later = createS3Store(server.bucket, () => Date.now() + 60_000);
  await later.sweep({ streamsOlderThanMs: 0, uploadsOlderThanMs: 60_000 });
  expect([...server.uploads.keys()]).toEqual(['of somebody else']);
  expect([...server.objects.keys()].filter((key) => key.startsWith('uploads/'))).toEqual(['uploads/holiday.jpg']);
  expect(await contentOf(await store.get(NAME.sha256))).toEqual(CONTENT);
});

test('a bucket that does not list its uploads is left unchanged', async () => {
  await store.parts.begin(NAME);
  server.control.fault = (method) => (method === 'GET' ? 403 : undefined);
  await store.sweep({ streamsOlderThanMs: 0, uploadsOlderThanMs: 0 });
  expect(server.uploads.size).toBe(1);
});
