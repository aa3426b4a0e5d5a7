import type { LargeFiles } from '../../content/index.ts';
import type { PushedPointer } from '../../git/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';
import type { Repository } from '../../repositories/index.ts';
import type { Remote } from '../remote/client.ts';
import { BATCH, download, requestOffers } from '../remote/large-files.ts';
import { inParallel } from './in-parallel.ts';

const PARALLEL_DOWNLOADS = 4;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'maxBytes' | 'receive' | 'requireRoom'>;
}

interface Obtaining {
  readonly remote: Remote;
  readonly url: string;
  readonly hasToken: boolean;
  readonly repo: Repository;
  readonly userId: string;
  /** Throws once the mirror may not change its repository any more. */
  readonly requireWanted: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Creates the function that brings large files from a remote, each verified as in any other upload. */
export function createObtaining({ read, largeFiles }: Dependencies) {
  function requireSizes(files: readonly PushedPointer[]): void {
    const large = files.find(({ size }) => size > largeFiles.maxBytes);
    if (large)
      throw new RemoteFault(
        `The large file ${plainText(large.path)} has ${large.size} bytes; this hub takes at most ${largeFiles.maxBytes}`,
      );
  }

  return async (source: Obtaining, missing: readonly PushedPointer[]): Promise<void> => {
    const { repo, userId, requireWanted, signal, onProgress } = source;
    const admit = () => requireWanted().then(() => null);
    const files = [...new Map(missing.map((file) => [file.sha256, file])).values()];
    requireSizes(files);
    await largeFiles.requireRoom(
      read,
      repo,
      files.reduce((sum, { size }) => sum + size, 0),
    );
    let done = 0;
    for (let at = 0; at < files.length; at += BATCH) {
      const batch = files.slice(at, at + BATCH);
      const offers = await requestOffers(source, batch);
      await inParallel(batch, { limit: PARALLEL_DOWNLOADS, signal }, async (file, ending) => {
        const offer = offers.get(file.sha256);
        const { sha256, size, path } = file;
        if (offer)
          await download({ ...source, signal: ending }, file, offer, (bytes) =>
            largeFiles.receive({ repoId: repo.id, userId, sha256, size }, admit, bytes).catch((error: unknown) => {
              throw error instanceof HubError && error.status === 400 ? mismatch(path, error) : error;
            }),
          );
        done += 1;
        onProgress(`Received ${done} of ${files.length} large files`);
      });
    }
  };
}

const mismatch = (path: string, { message }: HubError) =>
  new RemoteFault(`The remote sent something else for the large file ${plainText(path)}: ${message}`);
