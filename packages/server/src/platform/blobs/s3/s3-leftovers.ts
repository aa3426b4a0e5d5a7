import { element, NO_BODY, requireStatus, type S3Requests, textOf } from './s3-requests.ts';

/** The keys under which the hub uploads: a bucket may hold other data. */
const OWN_KEY = /^(?:uploads\/[0-9a-f]{32}|blobs\/[0-9a-f]{2}\/[0-9a-f]{64})$/;

/** Statuses of buckets whose keys may not list, or that cannot list uploads; a lifecycle rule cleans up there. */
const NO_LISTS: ReadonlySet<number> = new Set([403, 405, 501]);

interface ListedLeftover {
  readonly key: string;
  readonly uploadId: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
}

interface Kind {
  readonly query: Readonly<Record<string, string>>;
  /** The element of an entry, and its element with a time. */
  readonly entry: string;
  readonly time: string;
  /** The parameters that ask for the next page, with the elements of a page that hold their values. */
  readonly next: Readonly<Record<string, string>>;
}

const uploadsUnder = (prefix: string): Kind => ({
  query: { uploads: '', prefix },
  entry: 'Upload',
  time: 'Initiated',
  next: { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' },
});

const objectsUnder = (prefix: string): Kind => ({
  query: { 'list-type': '2', prefix },
  entry: 'Contents',
  time: 'LastModified',
  next: { 'continuation-token': 'NextContinuationToken' },
});

const KINDS: readonly Kind[] = [uploadsUnder('uploads/'), uploadsUnder('blobs/'), objectsUnder('uploads/')];

/** Lists objects whose keys begin with a prefix, with the times at which they were written in epoch milliseconds. */
export const listObjects = (
  s3: S3Requests,
  prefix: string,
): AsyncGenerator<{ readonly key: string; readonly since: number }, void> => listOf(s3, objectsUnder(prefix));

/** Lists the multipart uploads in progress whose keys begin with a prefix. */
export const listUploads = (s3: S3Requests, prefix: string): AsyncGenerator<ListedLeftover, void> =>
  listOf(s3, uploadsUnder(prefix));

/** Returns what crashes and clients that gave up have left in the bucket before a time: uploads, and joined objects. */
export async function* leftoversOf(s3: S3Requests, before: number): AsyncGenerator<ListedLeftover, void> {
  for (const kind of KINDS)
    for await (const listed of listOf(s3, kind)) if (listed.since <= before && OWN_KEY.test(listed.key)) yield listed;
}

/** Follows the pages of a list: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
async function* listOf(s3: S3Requests, { query, entry, time, next }: Kind): AsyncGenerator<ListedLeftover, void> {
  for (let page: Readonly<Record<string, string>> | undefined = query; page; ) {
    const answer = await s3.send({ method: 'GET', key: '', query: page, payloadHash: NO_BODY });
    if (NO_LISTS.has(answer.status)) return answer.body.dump();
    const xml = await textOf(await requireStatus(answer, 200));
    for (const [, text = ''] of xml.matchAll(new RegExp(`<${entry}>(.*?)</${entry}>`, 'gs')))
      yield {
        key: element(text, 'Key') ?? '',
        uploadId: element(text, 'UploadId'),
        since: Date.parse(element(text, time) ?? ''),
      };
    const marks = Object.entries(next).map(([name, at]) => [name, element(xml, at) ?? ''] as const);
    const isLast = element(xml, 'IsTruncated') !== 'true' || marks.every(([, mark]) => mark === '');
    page = isLast ? undefined : { ...query, ...Object.fromEntries(marks) };
  }
}
