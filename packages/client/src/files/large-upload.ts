import type * as routes from '@moonbase/contract/large-files/lfs';
import { HubApiError } from '../errors.ts';
import { completeLargeFile, lfsBatch, lfsBatchOfType } from '../generated/large-files.ts';
import { type Hub, type HubRequest, send, urlOf } from '../request.ts';
import { again } from './again.ts';
import type { Limit } from './parallel.ts';
import type { Destination } from './repo-file.ts';
import { counted, type FileSource } from './source.ts';

/** A file that the hub keeps apart from git. */
export interface LargeUpload {
  readonly sha256: string;
  readonly source: FileSource;
}

interface Sending {
  readonly at: Destination;
  /** Runs each request that carries bytes. */
  readonly limit: Limit;
  /** Told of bytes that left; of fewer than none where a part has to be sent again. */
  readonly onBytes: (bytes: number) => void;
}

type Batch = Awaited<ReturnType<typeof lfsBatch>>;
type Action = NonNullable<NonNullable<Batch['objects'][number]['actions']>['upload']>;

/** Clients of git LFS ask for as many at once. */
export const BATCH_FILES = 100;

/** Sends the bytes of large files that the repository does not have yet. */
export async function sendLargeFiles(hub: Hub, files: readonly LargeUpload[], sending: Sending): Promise<void> {
  const sources = new Map(files.map(({ sha256, source }) => [sha256, source]));
  const objects = [...sources].map(([oid, { size }]) => ({ oid, size }));
  const { type, repo, branch, createPullRequest } = sending.at;
  // Whoever may open a pull request may send files for it, and names no ref.
  const ref = createPullRequest ? undefined : { name: branch };
  const asked = { operation: 'upload', transfers: ['basic', 'multipart'], objects, ref } as const;
  const request = { ...hub, ...asked, transfers: [...asked.transfers], repo };
  const batch = await again(hub, () => (type === 'model' ? lfsBatch(request) : lfsBatchOfType({ ...request, type })));
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

/** A part that breaks off is sent again by itself; the others stay where they are. */
async function sendParts(
  hub: Hub,
  oid: string,
  source: FileSource,
  { href, header = {} }: Action,
  sending: Sending,
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
  await again(hub, () => completeLargeFile({ ...hub, ...NO_TOKEN, address: addressIn(href), oid, parts }));
}

/** Returns the entity tag of what was sent. */
function sendWhole(hub: Hub, address: string, source: FileSource, { limit, onBytes }: Sending): Promise<string> {
  const path: (typeof routes.putLargeFile)['path'] = '/api/large-files/{address}';
  const url = urlOf(hub, { path, params: { address } });
  return limit(() =>
    again(hub, async () => {
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

/** The address of an upload is all that the hub wants to see. */
const NO_TOKEN = { accessToken: undefined };

function requestOf(source: FileSource, onBytes: (bytes: number) => void): HubRequest {
  if (source instanceof Blob) return { method: 'PUT', rawBody: source };
  return { method: 'PUT', stream: () => counted(source, onBytes).stream() };
}

/** Bytes go to the hub that was asked, whatever address it gives. */
function addressIn(href: string): string {
  const [, address] = /\/api\/large-files\/([^/?#]+)$/.exec(href) ?? [];
  if (address === undefined) throw new TypeError('The hub wants large files to be sent elsewhere');
  return decodeURIComponent(address);
}
