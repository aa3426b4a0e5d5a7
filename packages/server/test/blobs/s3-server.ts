import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { S3Bucket } from '../../src/platform/blobs/s3/s3-requests.ts';
import { contentOf } from './bytes.ts';

const KEYS = { accessKey: 'AKIDTEST', secretKey: 'secret of the bucket', region: 'eu-test-1' };

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
  readonly since: Date;
}

interface Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/**
 * Starts a server with one bucket in memory, which checks signatures with an implementation of its own of the AWS
 * rules.
 */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  const requests: string[] = [];
  const startedAt = Date.now();
  const control: {
    /** Says how a request fails: with a status, without an answer, or with half of its answer. */
    fault?: ((method: string, key: string) => number | 'hang' | 'cut' | undefined) | undefined;
    /** How long each answer is held back. */
    delayMs?: number | undefined;
    /** Returns whether the bucket loses a part of an upload that it acknowledges. */
    losesPart?: ((number: number) => boolean) | undefined;
    /** How much older than they are lists show all objects. */
    agedMs?: number;
  } = {};
  const hanging = new Set<ServerResponse>();
  const aged = (time: number): string => new Date(time - (control.agedMs ?? 0)).toISOString();

  const server = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://s3');
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\//, '');
    requests.push(`${request.method} ${key}${url.search.includes('uploadId') ? ' part' : ''}`);
    const fault = control.fault?.(request.method ?? '', key);
    if (fault === 'hang') {
      hanging.add(response);
      response.on('close', () => hanging.delete(response));
      return;
    }
    const body = await contentOf(request).catch(() => undefined);
    if (body === undefined) return void response.destroy();
    if (control.delayMs !== undefined) await setTimeout(control.delayMs);
    if (typeof fault === 'number')
      return send(response, { status: fault, body: '<Error><Code>InternalError</Code></Error>' });
    const refused = signatureFault(request, url, body);
    if (refused) return send(response, { status: 403, body: `<Error><Code>${refused}</Code></Error>` });
    const { method = '', headers } = request;
    const reply = answer({ method, key, query: url.searchParams, headers, body });
    if (fault === 'cut') return cutOff(response, reply);
    send(response, reply);
  }

  function answer(call: Call): Reply {
    const { method, key, query, headers, body } = call;
    const upload = query.get('uploadId');
    if (method === 'GET' && key === '')
      return { status: 200, body: query.has('uploads') ? uploadList(query) : objectList(query) };
    if (method === 'POST' && query.has('uploads')) {
      const id = randomBytes(32).toString('base64url');
      uploads.set(id, { key, parts: new Map(), since: new Date() });
      return { status: 200, body: `<R><UploadId>${id}</UploadId></R>` };
    }
    if (upload !== null) return answerUpload(call, upload, uploads.get(upload));
    const source = headers['x-amz-copy-source']?.toString().replace(/^\/bucket\//, '');
    if (method === 'PUT' && source !== undefined) {
      const copied = objects.get(source);
      if (copied) objects.set(key, copied);
      return copied ? { status: 200, body: '<R/>' } : { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
    }
    if (method === 'PUT') {
      objects.set(key, body);
      return { status: 200, headers: { etag: md5(body) } };
    }
    if (method === 'DELETE') return { status: objects.delete(key) ? 204 : 404 };
    const found = objects.get(key);
    if (!found) return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    if (first === undefined) return { status: 200, body: found, headers: extraHeaders(query) };
    const part = found.subarray(Number(first), last === '' ? undefined : Number(last) + 1);
    return { status: 206, body: part, headers: extraHeaders(query) };
  }

  /** One upload per page, in the order of key and id. */
  function uploadList(query: URLSearchParams): string {
    const after = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join(' ');
    const left = [...uploads]
      .map(([id, upload]) => ({ id, ...upload, position: `${upload.key} ${id}` }))
      .filter(({ key, position }) => key.startsWith(query.get('prefix') ?? '') && position > after)
      .sort((a, b) => (a.position < b.position ? -1 : 1));
    const [first] = left;
    if (!first) return '<R><IsTruncated>false</IsTruncated></R>';
    const entry = `<Upload><Key>${first.key}</Key><UploadId>${first.id}</UploadId><Initiated>${aged(first.since.getTime())}</Initiated></Upload>`;
    const next = `<NextKeyMarker>${first.key}</NextKeyMarker><NextUploadIdMarker>${first.id}</NextUploadIdMarker>`;
    return `<R>${next}<IsTruncated>${left.length > 1}</IsTruncated>${entry}</R>`;
  }

  /** One object per page. */
  function objectList(query: URLSearchParams): string {
    const left = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('continuation-token') ?? ''))
      .sort();
    const [first] = left;
    if (first === undefined) return '<R><IsTruncated>false</IsTruncated></R>';
    const entry = `<Contents><Key>${first}</Key><LastModified>${aged(startedAt)}</LastModified></Contents>`;
    return `<R><IsTruncated>${left.length > 1}</IsTruncated><NextContinuationToken>${first}</NextContinuationToken>${entry}</R>`;
  }

  function answerUpload({ method, key, query, headers, body }: Call, id: string, upload: Upload | undefined): Reply {
    if (upload?.key !== key) return { status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>' };
    if (method === 'DELETE') return { status: uploads.delete(id) ? 204 : 404 };
    if (method === 'PUT') {
      const source = headers['x-amz-copy-source']?.toString().replace(/^\/bucket\//, '');
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers['x-amz-copy-source-range']?.toString() ?? '') ?? [];
      const bytes = source === undefined ? body : objects.get(source)?.subarray(Number(first), Number(last) + 1);
      if (!bytes) return { status: 404 };
      const number = Number(query.get('partNumber'));
      if (!control.losesPart?.(number)) upload.parts.set(number, bytes);
      const etag = md5(bytes);
      return { status: 200, headers: { etag }, body: source === undefined ? '' : `<R><ETag>${etag}</ETag></R>` };
    }
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const parts = listed.map(([, number, etag]) => {
      const bytes = upload.parts.get(Number(number));
      return bytes && md5(bytes) === etag?.replaceAll('&quot;', '"') ? bytes : undefined;
    });
    if (parts.includes(undefined)) return { status: 400, body: '<Error><Code>InvalidPart</Code></Error>' };
    objects.set(key, Buffer.concat(parts.filter((part) => part !== undefined)));
    uploads.delete(id);
    return { status: 200, body: '<R/>' };
  }

  const listenOn = (port: number) =>
    new Promise<void>((listening) => server.listen(port, '127.0.0.1', () => listening()));
  await listenOn(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const bucket: S3Bucket = { ...KEYS, endpoint: `http://127.0.0.1:${port}`, bucket: 'bucket', pathStyle: true };
  return {
    bucket,
    objects,
    uploads,
    requests,
    control,
    /** Breaks all connections and refuses new ones until `listen` is called. */
    refuse() {
      server.close();
      server.closeAllConnections();
    },
    listen: () => listenOn(port),
    /** Breaks the connections of requests that hang. */
    resetHanging() {
      for (const response of hanging) response.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function send(response: ServerResponse, { status, body = '', headers = {} }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Sends half of a reply, and breaks the connection. */
function cutOff(response: ServerResponse, { status, body = '', headers = {} }: Reply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length + 1 });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

const extraHeaders = (query: URLSearchParams): Record<string, string> => ({
  'content-type': query.get('response-content-type') ?? 'binary/octet-stream',
  ...(query.has('response-content-disposition') && {
    'content-disposition': query.get('response-content-disposition') ?? '',
  }),
});

const md5 = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** Returns the S3 error code for a wrong signature or a body that differs from the signed one. */
function signatureFault(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const presigned = url.searchParams.has('X-Amz-Signature');
  const [, credential = '', names = '', signature = ''] = presigned
    ? ['', ...['Credential', 'SignedHeaders', 'Signature'].map((name) => url.searchParams.get(`X-Amz-${name}`) ?? '')]
    : (/^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
        request.headers.authorization ?? '',
      ) ?? []);
  const [accessKey, day, region, service, end] = credential.split('/');
  if (accessKey !== KEYS.accessKey || region !== KEYS.region) return 'InvalidAccessKeyId';
  const time = String(presigned ? url.searchParams.get('X-Amz-Date') : request.headers['x-amz-date']);
  const instant = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (presigned && Date.now() > instant + Number(url.searchParams.get('X-Amz-Expires')) * 1000) return 'AccessDenied';
  const payload = presigned ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const query = (request.url?.split('?')[1] ?? '')
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
  const headers = names.split(';').map((name) => `${name}:${request.headers[name]?.toString().trim()}\n`);
  const canonical = [request.method, url.pathname, query, headers.join(''), names, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, [day, region, service, end].join('/'), sha256(canonical)].join('\n');
  let key: Buffer = Buffer.from(`AWS4${KEYS.secretKey}`);
  for (const part of [day, region, service, end, text])
    key = createHmac('sha256', key)
      .update(part ?? '')
      .digest();
  return key.toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
