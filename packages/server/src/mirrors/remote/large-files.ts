import * as z from 'zod';
import type { BlobName } from '../../platform/blobs/blob-store.ts';
import type { StreamedAnswer } from '../../platform/outbound/guarded-streams.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { withPace } from '../../platform/outbound/remote/pace.ts';
import { resolve } from '../../platform/outbound/remote/transport.ts';
import { wholeBody } from '../../platform/outbound/remote/whole-body.ts';
import type { Remote } from './client.ts';
import { requireOk } from './require-ok.ts';

const LFS_MEDIA_TYPE = 'application/vnd.git-lfs+json';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_HEADERS = 32;
const TALKATIVE = 'The remote says too much about its large files';

const Download = z.object({
  href: z.string().max(8000),
  header: z.record(z.string(), z.string()).optional(),
});
const BatchAnswer = z.object({
  transfer: z.string().optional(),
  objects: z.array(
    z.object({
      oid: z.string(),
      authenticated: z.boolean().nullish(),
      actions: z.object({ download: Download.optional() }).nullish(),
      error: z.object({ code: z.number(), message: z.string().optional() }).nullish(),
    }),
  ),
});
type Offer = z.infer<typeof BatchAnswer>['objects'][number];

/** A file to download, with a path at which it is. */
export interface WantedFile extends BlobName {
  readonly path: string;
}

/** The number of files in one batch call. */
export const BATCH = 100;

/** Returns the address of the batch call, as git-lfs finds it. */
export const batchUrl = (url: string): string => `${url}${url.endsWith('.git') ? '' : '.git'}/info/lfs/objects/batch`;

interface Source {
  readonly remote: Remote;
  readonly url: string;
  readonly hasToken: boolean;
  readonly signal: AbortSignal;
}

/** Asks a remote where large files are; returns the offers by SHA-256. Throws a `RemoteFault` if one is missing there. */
export async function requestOffers(source: Source, files: readonly WantedFile[]): Promise<Map<string, Offer>> {
  const { remote, url, hasToken, signal } = source;
  await using answer = await remote.transport.send(new URL(batchUrl(url)), {
    method: 'POST',
    headers: { accept: LFS_MEDIA_TYPE, 'content-type': LFS_MEDIA_TYPE },
    body: JSON.stringify({
      operation: 'download',
      transfers: ['basic'],
      hash_algo: 'sha256',
      objects: files.map(({ sha256, size }) => ({ oid: sha256, size })),
    }),
    signal,
  });
  requireLfs(answer, hasToken);
  const { transfer = 'basic', objects } = parse(await wholeBody(answer.body, MAX_ANSWER_BYTES, TALKATIVE));
  if (transfer !== 'basic')
    throw new RemoteFault(`The remote offers large files by ${plainText(transfer)}, which the hub does not speak`);
  const offers = new Map(objects.map((offer) => [offer.oid, offer]));
  for (const { sha256, path } of files) {
    const offer = offers.get(sha256);
    if (!offer?.actions?.download)
      throw new RemoteFault(`The remote does not have the large file ${name(path, offer)}`);
  }
  return offers;
}

/** Names a file, with what the remote says about it. */
function name(path: string, offer: Offer | undefined): string {
  const { code, message = '' } = offer?.error ?? {};
  return code === undefined ? plainText(path) : `${plainText(path)}: ${plainText(`${message} (${code})`)}`;
}

function requireLfs(answer: StreamedAnswer, hasToken: boolean): void {
  if (answer.status === 404)
    throw new RemoteFault('The remote has pointers to large files, but does not speak git-lfs');
  requireOk(answer, hasToken);
}

function parse(bytes: Buffer): z.infer<typeof BatchAnswer> {
  try {
    return BatchAnswer.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new RemoteFault('The remote does not say where its large files are in the form of git-lfs');
  }
}

/** Headers that the hub sets itself, or that concern one connection. */
const OWN_HEADERS =
  /^(host|connection|content-.*|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*|user-agent)$/;

/** Returns the headers of an offer that are sent, with lower-case names. */
function headersOf({ header = {} }: z.infer<typeof Download>): Record<string, string> {
  const given = Object.entries(header).map(([key, value]): [string, string] => [key.toLowerCase(), value]);
  const sendable = given.filter(
    ([key, value]) => /^[a-z0-9-]+$/.test(key) && !OWN_HEADERS.test(key) && /^[\x20-\x7e]*$/.test(value),
  );
  return Object.fromEntries(sendable.slice(0, MAX_HEADERS));
}

/** Opens a large file that a remote has offered, and passes its bytes to `store`. */
export async function download(
  { remote, url, hasToken, signal }: Source,
  { path, size }: WantedFile,
  { actions, authenticated }: Offer,
  store: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const offered = actions?.download;
  const target = offered && resolve(offered.href, new URL(batchUrl(url)));
  if (!offered || !target || !/^https?:$/.test(target.protocol) || target.username !== '' || target.password !== '')
    throw new RemoteFault(`The remote offers the large file ${plainText(path)} at something that is no web address`);
  if (target.protocol === 'http:' && url.startsWith('https:'))
    throw new RemoteFault(`The remote offers the large file ${plainText(path)} by plain http`);
  const headers = headersOf(offered);
  const isAuthenticated = authenticated === true || headers.authorization !== undefined;
  const { answer } = await remote.transport.get(target, { headers, isAuthenticated, signal });
  await using _ = answer;
  requireOk(answer, hasToken);
  const length = answer.header('content-length');
  if (length !== undefined && Number(length) !== size)
    throw new RemoteFault(
      `The remote sends ${plainText(length)} bytes for ${plainText(path)}, whose pointer says ${size}`,
    );
  let fault: { readonly error: unknown } | undefined;
  const onFault = (error: unknown) => {
    fault = { error };
  };
  await store(reporting(withPace(answer.body, remote.pace), onFault)).catch((error: unknown) => {
    // A store may take a source that fails for a failure of its own.
    throw fault ? fault.error : error;
  });
}

/** Passes bytes on, and reports an error of their source. */
async function* reporting<T>(bytes: AsyncIterable<T>, onFault: (error: unknown) => void): AsyncGenerator<T, void> {
  try {
    yield* bytes;
  } catch (error) {
    onFault(error);
    throw error;
  }
}
