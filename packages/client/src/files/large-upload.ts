import type * as routes from '@moonbase/contract/large-files/lfs';
import { HubApiError } from '../errors.ts';
import { completeLargeFile, lfsBatch, lfsBatchOfType } from '../generated/large-files.ts';
import { type Hub, type HubRequest, send, urlOf } from '../request.ts';
import type { Limit } from './parallel.ts';
import type { Destination } from './repo-file.ts';
import { retrying } from './retrying.ts';
import { countingSource, type FileSource } from './source.ts';

/** A file that the hub stores outside git. */
export interface LargeUpload {
  readonly sha256: string;
  readonly source: FileSource;
}

interface UploadContext {
  readonly at: Destination;
  /** Limits the concurrency of requests that carry bytes. */
  readonly limit: Limit;
  /** Called with the number of bytes sent; negative if a part has to be sent again. */
  readonly onBytes: (bytes: number) => void;
}

type Batch = Awaited<ReturnType<typeof lfsBatch>>;
type Action = NonNullable<NonNullable<Batch['objects'][number]['actions']>['upload']>;

/** The number of files per batch, as in the git LFS clients. */
export const BATCH_FILES = 100;

/** Uploads the bytes of large files that the repository lacks. */
export async function sendLargeFiles(hub: Hub, files: readonly LargeUpload[], sending: UploadContext): Promise<void> {
  const sources = new Map(files.map(({ sha256, source }) => [sha256, source]));
  const objects = [...sources].map(([oid, { size }]) => ({ oid, size }));
  const { type, repo, branch, createPullRequest } = sending.at;
  // Files for a pull request are sent without a ref, which users without write access may do.
  const ref = createPullRequest ? undefined : { name: branch };
  const batchRequest = { operation: 'upload', transfers: ['basic', 'multipart'], objects, ref } as const;
  const request = { ...hub, ...batchRequest, transfers: [...batchRequest.transfers], repo };
  const batch = await retrying(hub, () =>
    type === 'model' ? lfsBatch(request) : lfsBatchOfType({ ...request, type }),
  );
  const running = batch.objects.map(async ({ oid, actions, error }) => {
    const source = sources.get(oid);
    if (error) throw new HubApiError(error.message, { status: error.code, url: hub.hubUrl });
    if (!source) return;
    if (!actions?.upload) sending.onBytes(source.size);
    else if (batch.transfer === 'multipart') await sendParts(hub, oid, source, actions.upload, sending);
    else await sendWhole(hub, addressIn(actions.upload.href), source, sending);
  });
  await Promise.all(running);
}

/** Uploads a file in parts; a part that fails is sent again by itself. */
async function sendParts(
  hub: Hub,
  oid: string,
  source: FileSource,
  { href, header = {} }: Action,
  sending: UploadContext,
): Promise<void> {
  const size = Number(header.chunk_size);
  const hrefs = Object.entries(header).filter(([name]) => /^\d+$/.test(name));
  if (!(size > 0) || hrefs.length !== Math.max(1, Math.ceil(source.size / size)))
    throw new TypeError('The hub asks for parts that do not make the file');
  const running = hrefs.map(async ([number, partHref]) => {
    const partNumber = Number(number);
    const part = source.slice((partNumber - 1) * size, Math.min(partNumber * size, source.size));
    return { partNumber, etag: await sendWhole(hub, addressIn(partHref), part, sending) };
  });
  const parts = (await Promise.all(running)).sort((a, b) => a.partNumber - b.partNumber);
  await retrying(hub, () => completeLargeFile({ ...hub, ...NO_TOKEN, address: addressIn(href), oid, parts }));
}

/** Uploads bytes in one request; returns the entity tag. */
function sendWhole(hub: Hub, address: string, source: FileSource, { limit, onBytes }: UploadContext): Promise<string> {
  const path: (typeof routes.putLargeFile)['path'] = '/api/large-files/{address}';
  const url = urlOf(hub, { path, params: { address } });
  return limit(() =>
    retrying(hub, async () => {
      let left = 0;
      const count = (bytes: number) => {
        left += bytes;
        onBytes(bytes);
      };
      try {
        const response = await send({ ...hub, ...NO_TOKEN }, url, requestOf(source, count));
        if (source instanceof Blob) onBytes(source.size);
        await response.body?.cancel();
        return response.headers.get('etag') ?? '';
      } catch (error) {
        onBytes(-left);
        throw error;
      }
    }),
  );
}

/** The address of an upload is the only credential that the hub needs. */
const NO_TOKEN = { accessToken: undefined };

function requestOf(source: FileSource, onBytes: (bytes: number) => void): HubRequest {
  if (source instanceof Blob) return { method: 'PUT', rawBody: source };
  return { method: 'PUT', stream: () => countingSource(source, onBytes).stream() };
}

/** Returns an upload address on the hub that was called, whatever host the given address has. */
function addressIn(href: string): string {
  const [, address] = /\/api\/large-files\/([^/?#]+)$/.exec(href) ?? [];
  if (address === undefined) throw new TypeError('The hub wants large files to be sent elsewhere');
  return decodeURIComponent(address);
}
