import { repoNotFound } from '../access/index.ts';
import { credentialIdsOf, type LargeFiles } from '../content/index.ts';
import { mapCooperatively } from '../platform/cooperative.ts';
import type { Database } from '../platform/database/transaction.ts';
import { type Caller, isAuthenticated, type ReadingCaller } from '../platform/http/authenticate.ts';
import { HubError, notFound } from '../platform/http/errors.ts';
import { type RepoName, type Repository, readRepoFiles } from '../repositories/index.ts';
import type { Addresses, Purpose } from './addresses.ts';
import { PARTS_FROM_BYTES, partSizeOf, partsOf } from './parts.ts';
import { isToldOfXet, xetTokenUrl } from './xet-transfer.ts';

interface Dependencies {
  readonly database: Database;
  readonly largeFiles: Pick<LargeFiles, 'beginParts' | 'find' | 'maxBytes' | 'proposerIn' | 'requireRoom'>;
  readonly addresses: Addresses;
  /** Files of more bytes are uploaded in parts if the client supports it. */
  readonly partsFromBytes?: number | undefined;
  /** Whether clients find chunks in the files of a repository, so that they need not send these. */
  readonly isXetRead: boolean;
}

interface BatchObject {
  readonly oid: string;
  readonly size: number;
}

interface BatchRequest {
  readonly operation: 'upload' | 'download';
  readonly transfers: readonly string[];
  readonly objects: readonly BatchObject[];
  readonly hash_algo?: string | undefined;
  readonly ref?: { readonly name: string } | null | undefined;
}

/** The batch call of git LFS, which tells clients where to upload or download large files. */
export function createBatch({
  database: { read },
  largeFiles,
  addresses,
  partsFromBytes = PARTS_FROM_BYTES,
  isXetRead,
}: Dependencies) {
  const blobOf = (repo: Repository, { oid, size }: BatchObject) => ({ repoId: repo.id, sha256: oid, size });

  /** Returns where a client uploads a file, in one piece or in parts. */
  async function uploadTo(
    caller: Caller,
    { repo, permission, inParts }: { repo: Repository; permission: UploadPermission; inParts: boolean },
    object: BatchObject,
  ) {
    const blob = blobOf(repo, object);
    const by = { ...credentialIdsOf(caller.principal), userId: caller.principal.userId, permission };
    const expires_in = addresses.secondsFor(caller);
    const url = (purpose: Purpose) => addresses.urlFor(caller.baseUrl, purpose, expires_in);
    if (!inParts) return { href: url({ what: 'put', ...by, ...blob }), expires_in };
    const upload = await largeFiles.beginParts(blob);
    const parts = partsOf(object.size).map(({ number, size: partSize }): [string, string] => [
      String(number).padStart(5, '0'),
      url({ what: 'part', ...by, ...blob, upload, number, partSize }),
    ]);
    return {
      href: url({ what: 'complete', ...by, ...blob, upload }),
      header: { chunk_size: String(partSizeOf(object.size)), ...Object.fromEntries(parts) },
      expires_in,
    };
  }

  async function upload(caller: Caller, repo: Repository, request: BatchRequest, verifyUrl: string) {
    const { transfers, objects } = request;
    const known = await largeFiles.find(read, repo.id, sha256sOf(objects));
    const tooLarge = ({ size }: BatchObject) => size > largeFiles.maxBytes;
    const toUpload = objects.filter((object) => !known.has(object.oid) && !tooLarge(object));
    const permission = permissionFor(request.ref?.name);
    const proposerId = await largeFiles.proposerIn(read, caller.principal, repo, permission);
    await largeFiles.requireRoom(read, repo, sizeOf(toUpload), proposerId);
    const byXet = isXetRead && isToldOfXet(request);
    const inParts = !byXet && transfers.includes('multipart') && toUpload.some(({ size }) => size > partsFromBytes);
    const expires_in = addresses.secondsFor(caller);
    const answers = await mapCooperatively(objects, async ({ oid, size }) => {
      if (known.has(oid)) return { oid, size, authenticated: true as const };
      if (tooLarge({ oid, size }))
        return { oid, size, error: { code: 422, message: `A file can have at most ${largeFiles.maxBytes} bytes` } };
      const actions = {
        upload: byXet
          ? { href: xetTokenUrl(caller, repo, request.ref?.name), expires_in }
          : await uploadTo(caller, { repo, permission, inParts }, { oid, size }),
        verify: { href: verifyUrl, expires_in },
      };
      // `authenticated` is omitted: it would make git-lfs send no credentials to `verify`.
      return { oid, size, actions };
    });
    const transfer = byXet ? ('xet' as const) : inParts ? ('multipart' as const) : ('basic' as const);
    return { transfer, hash_algo: HASH, objects: answers };
  }

  async function download(caller: ReadingCaller, repo: Repository, { objects }: BatchRequest) {
    const known = await largeFiles.find(read, repo.id, sha256sOf(objects));
    const expires_in = addresses.secondsFor(caller);
    const answers = objects.map((object) => {
      const size = known.get(object.oid)?.size;
      if (size === undefined) return { ...object, error: { code: 404, message: 'The repository has no such file' } };
      const purpose = { ...credentialIdsOf(caller.principal), ...blobOf(repo, { oid: object.oid, size }) };
      const href = addresses.urlFor(caller.baseUrl, { what: 'get', ...purpose }, expires_in);
      const actions = { download: { href, expires_in } };
      return { oid: object.oid, size, authenticated: true as const, actions };
    });
    return { transfer: 'basic' as const, hash_algo: HASH, objects: answers };
  }

  return {
    async batch(caller: ReadingCaller, name: RepoName, request: BatchRequest) {
      if (request.operation === 'download') return download(caller, await readRepoFiles(read, caller, name), request);
      if (!isAuthenticated(caller)) throw repoNotFound();
      const repo = await readRepoFiles(read, caller, name, permissionFor(request.ref?.name));
      return upload(caller, repo, request, caller.url.replace(/\/batch(\?.*)?$/, '/verify'));
    },

    async verify(caller: Caller, name: RepoName, { oid, size }: BatchObject): Promise<void> {
      const repo = await readRepoFiles(read, caller, name);
      const found = (await largeFiles.find(read, repo.id, [oid])).get(oid);
      if (!found) throw notFound('The repository has no such file; upload it first');
      if (found.size !== size) throw new HubError(422, `The file has ${found.size} bytes`);
    },
  };
}

type UploadPermission = ReturnType<typeof permissionFor>;

const HASH = 'sha256' as const;

const sha256sOf = (objects: readonly BatchObject[]): string[] => [...new Set(objects.map(({ oid }) => oid))];

/** Returns the total size of the objects, counting each file once. */
const sizeOf = (objects: readonly BatchObject[]): number =>
  [...new Map(objects.map(({ oid, size }) => [oid, size])).values()].reduce((sum, size) => sum + size, 0);

/**
 * Returns the permission that an upload needs. Readers may open pull requests, whose files are uploaded first and
 * without a ref, because the pull request has no number yet; uploading alone changes no branch.
 */
const permissionFor = (ref: string | undefined) =>
  ref === undefined || ref.startsWith('refs/pr/') ? ('discussion.write' as const) : ('repo.write' as const);
