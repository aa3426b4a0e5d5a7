import { createHash, createHmac } from 'node:crypto';

/*
 * AWS Signature Version 4 for objects:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface S3Request {
  readonly method: string;
  readonly url: URL;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Replaces the SHA-256 of a body that is unknown before it is sent. */
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Returns the given headers and those that sign the request. */
export function signHeaders(keys: S3Keys, request: S3Request, payloadHash: string, now: number) {
  const time = timeOf(now);
  const headers = { ...request.headers, 'x-amz-content-sha256': payloadHash, 'x-amz-date': time };
  const signed = { ...headers, host: request.url.host };
  const signature = sign(keys, { ...request, headers: signed }, payloadHash, time);
  const credential = `${keys.accessKey}/${scopeOf(keys, time)}`;
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${namesOf(signed)}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** Returns a URL with a signature, which allows the request to anybody until it expires. */
export function signUrl(keys: S3Keys, method: string, url: URL, seconds: number, now: number): string {
  const time = timeOf(now);
  const headers = { host: url.host };
  const signed = new URL(url);
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${keys.accessKey}/${scopeOf(keys, time)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': namesOf(headers),
  };
  for (const [name, value] of Object.entries(parameters)) signed.searchParams.set(name, value);
  const signature = sign(keys, { method, url: signed, headers }, UNSIGNED_PAYLOAD, time);
  return `${url.origin}${url.pathname}?${queryOf(signed)}&X-Amz-Signature=${signature}`;
}

function sign(keys: S3Keys, { method, url, headers }: S3Request, payloadHash: string, time: string): string {
  const lines = Object.entries(headers)
    .sort(byName)
    .map(([name, value]) => `${name}:${value.trim()}\n`);
  const request = [method, url.pathname, queryOf(url), lines.join(''), namesOf(headers), payloadHash].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const key = [time.slice(0, 8), keys.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretKey}`,
  );
  return hmac(key, [ALGORITHM, time, scopeOf(keys, time), digest].join('\n')).toString('hex');
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Formats a time as 20130524T000000Z. */
const timeOf = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');

const scopeOf = ({ region }: S3Keys, time: string): string => `${time.slice(0, 8)}/${region}/s3/aws4_request`;

const namesOf = (headers: Readonly<Record<string, string>>): string => Object.keys(headers).sort().join(';');

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the query in canonical order and encoding, as it is signed and sent. */
export const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** Encodes all characters except the unreserved ones of RFC 3986; `encodeURIComponent` alone leaves some more. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
