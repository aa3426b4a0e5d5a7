import type { LargeFiles } from '../content/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HubError, notFound } from '../platform/http/errors.ts';
import { inTurns } from '../platform/in-turns.ts';
import { type RepoName, type Repository, readRepo } from '../repositories/index.ts';
import { type Addresses, DOWNLOAD_SECONDS, type Purpose, UPLOAD_SECONDS } from './addresses.ts';
import { PARTS_FROM_BYTES, partSizeOf, partsOf } from './parts.ts';

interface Dependencies {
  readonly database: Database;
  readonly largeFiles: Pick<LargeFiles, 'beginParts' | 'find' | 'maxBytes' | 'requireRoom'>;
  readonly addresses: Addresses;
  /** Files from this size on go in parts where the client can do that. */
  readonly partsFromBytes?: number | undefined;
}

interface Asked {
  readonly oid: string;
  readonly size: number;
}

interface BatchRequest {
  readonly operation: 'upload' | 'download';
  readonly transfers: readonly string[];
  readonly objects: readonly Asked[];
  readonly ref?: { readonly name: string } | null | undefined;
}

/** The batch call of git LFS: tells where the bytes of large files go, or come from. */
export function createBatch({
  database: { read },
  largeFiles,
  addresses,
  partsFromBytes = PARTS_FROM_BYTES,
}: Dependencies) {
  const ofUser = ({ principal }: Caller, repo: Repository, { oid, size }: Asked) => ({
    ...{ repoId: repo.id, userId: principal.userId, sha256: oid, size },
  });

  /** Where the bytes go, in one piece or in parts. */
  async function uploadTo(caller: Caller, repo: Repository, asked: Asked, inParts: boolean) {
    const blob = ofUser(caller, repo, asked);
    const url = (purpose: Purpose) => addresses.urlFor(caller.baseUrl, purpose);
    if (!inParts) return { href: url({ what: 'put', ...blob }), expires_in: UPLOAD_SECONDS };
    const upload = await largeFiles.beginParts(blob);
    const parts = partsOf(asked.size).map(({ number, size: partSize }): [string, string] => [
      String(number).padStart(5, '0'),
      url({ what: 'part', ...blob, upload, number, partSize }),
    ]);
    return {
      href: url({ what: 'complete', ...blob, upload }),
      header: { chunk_size: String(partSizeOf(asked.size)), ...Object.fromEntries(parts) },
      expires_in: UPLOAD_SECONDS,
    };
  }

  async function upload(caller: Caller, repo: Repository, { transfers, objects }: BatchRequest, verifyUrl: string) {
    const known = await largeFiles.find(read, repo.id, sha256sOf(objects));
    const tooLarge = ({ size }: Asked) => size > largeFiles.maxBytes;
    const coming = objects.filter((asked) => !known.has(asked.oid) && !tooLarge(asked));
    await largeFiles.requireRoom(read, repo, sizeOf(coming));
    const inParts = transfers.includes('multipart') && coming.some(({ size }) => size > partsFromBytes);
    const answers = await inTurns(objects, async ({ oid, size }) => {
      if (known.has(oid)) return { oid, size, authenticated: true as const };
      if (tooLarge({ oid, size }))
        return { oid, size, error: { code: 422, message: `At most ${largeFiles.maxBytes} bytes are taken` } };
      const actions = {
        upload: await uploadTo(caller, repo, { oid, size }, inParts),
        verify: { href: verifyUrl, expires_in: UPLOAD_SECONDS },
      };
      // With `authenticated`, git-lfs would send no credentials to `verify`.
      return { oid, size, actions };
    });
    return { transfer: inParts ? ('multipart' as const) : ('basic' as const), hash_algo: HASH, objects: answers };
  }

  async function download(caller: Caller, repo: Repository, { objects }: BatchRequest) {
    const known = await largeFiles.find(read, repo.id, sha256sOf(objects));
    const answers = objects.map((asked) => {
      const size = known.get(asked.oid)?.size;
      if (size === undefined) return { ...asked, error: { code: 404, message: 'The repository has no such file' } };
      const href = addresses.urlFor(caller.baseUrl, { what: 'get', ...ofUser(caller, repo, { oid: asked.oid, size }) });
      const actions = { download: { href, expires_in: DOWNLOAD_SECONDS } };
      return { oid: asked.oid, size, authenticated: true as const, actions };
    });
    return { transfer: 'basic' as const, hash_algo: HASH, objects: answers };
  }

  return {
    async batch(caller: Caller, name: RepoName, request: BatchRequest) {
      if (request.operation === 'download') return download(caller, await readRepo(read, caller, name), request);
      const repo = await readRepo(read, caller, name, permissionFor(request.ref?.name));
      return upload(caller, repo, request, caller.url.replace(/\/batch(\?.*)?$/, '/verify'));
    },

    async verify(caller: Caller, name: RepoName, { oid, size }: Asked): Promise<void> {
      const repo = await readRepo(read, caller, name);
      const found = (await largeFiles.find(read, repo.id, [oid])).get(oid);
      if (!found) throw notFound('The repository has no such file; it was not uploaded');
      if (found.size !== size) throw new HubError(422, `The file has ${found.size} bytes`);
    },
  };
}

const HASH = 'sha256' as const;

const sha256sOf = (objects: readonly Asked[]): string[] => [...new Set(objects.map(({ oid }) => oid))];

/** Each file once. */
const sizeOf = (objects: readonly Asked[]): number =>
  [...new Map(objects.map(({ oid, size }) => [oid, size])).values()].reduce((sum, size) => sum + size, 0);

/**
 * A pull request may be opened by whoever reads, and its files come before it: a client that is about to open one names
 * no ref. What is uploaded is in no branch yet.
 */
const permissionFor = (ref: string | undefined) =>
  ref === undefined || ref.startsWith('refs/pr/') ? ('discussion.write' as const) : ('repo.write' as const);
