import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { type ByteText, toByteText } from '../../platform/git/objects/byte-text.ts';
import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import { pathFault } from '../../platform/git/paths.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { findEntry } from '../../platform/git/tree-walk.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { type RepoName, readRepoFiles } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import { createEffort } from '../patterns/effort.ts';
import { lfsFilter } from '../patterns/git-attributes.ts';
import { ignoreFilter } from '../patterns/git-ignore.ts';
import type { BlobFacts, ReadBlobFacts } from '../reading/blob-facts.ts';
import { type Revisions, revisionNotFound } from '../reading/revisions.ts';
import { revisionPathsIn } from '../reading/url-tail.ts';
import { permissionFor } from './pull-requests.ts';
import { uploadMode } from './upload-mode.ts';

interface Candidate {
  readonly path: string;
  readonly size: number;
  readonly sample?: string | undefined;
}

export interface PreuploadRequest {
  /** The branch or pull request that the files will be committed to. */
  readonly revision: string;
  readonly opensPullRequest: boolean;
  readonly files: readonly Candidate[];
  readonly gitAttributes?: string | undefined;
  readonly gitIgnore?: string | undefined;
}

/** Longer `.gitattributes` and `.gitignore` files of the repository are ignored. */
const MAX_PATTERN_BYTES = 256 * 1024;
const API_PARTS = 5;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly factsOf: ReadBlobFacts;
  readonly largeFiles: Pick<LargeFiles, 'maxBytes' | 'proposerIn' | 'requireRoom'>;
}

async function textAt(repository: GitRepository, tree: string, path: string): Promise<ByteText> {
  const entry = await findEntry(repository, tree, path);
  if (!entry || isFolder(entry) || isModule(entry)) return '';
  if ((await repository.header(entry.id)).size > MAX_PATTERN_BYTES) return '';
  return (await repository.read(entry.id)).body.toString('latin1');
}

/** The verb that tells how to upload each file: into git or as a large file. */
export function createPreupload({ read, objects, revisions, factsOf, largeFiles }: Dependencies) {
  async function factsAt(repository: GitRepository, tree: string, path: string) {
    const entry = await findEntry(repository, tree, path);
    if (!entry || isFolder(entry) || isModule(entry)) return undefined;
    return { id: entry.id, ...(await factsOf(repository, entry.id)) };
  }

  return async (caller: Caller, name: RepoName, request: PreuploadRequest) => {
    const { files, gitAttributes, gitIgnore } = request;
    const repo = await readRepoFiles(read, caller, name, permissionFor(request));
    const at = await revisions.resolve(repo, revisionPathsIn(caller.url.slice(caller.baseUrl.length), API_PARTS));
    if (at.path !== '') throw revisionNotFound(`${at.revision}/${at.path}`);
    const repository = objects.open(repo.id);
    const { tree } = await repository.readCommit(at.commit);
    const effort = createEffort();
    const textOf = async (given: string | undefined, path: string) =>
      given === undefined ? textAt(repository, tree, path) : toByteText(given);
    const isLfs = await lfsFilter(await textOf(gitAttributes, '.gitattributes'), effort);
    const ignoreTexts = [await textAt(repository, tree, '.gitignore'), toByteText(gitIgnore ?? '')];
    const isIgnored = await ignoreFilter(ignoreTexts, effort);
    const results = [];
    let bytes = 0;
    for (const { path, size, sample = '' } of files) {
      await effort.pause();
      const fault = pathFault(path);
      if (fault) throw new HubError(422, `The path ${JSON.stringify(path.slice(0, 200))} ${fault}`);
      if (size > largeFiles.maxBytes)
        throw new HubError(413, `${path} has ${size} bytes: a file can have at most ${largeFiles.maxBytes}`);
      const now = await factsAt(repository, tree, path);
      const mode = uploadMode({
        size,
        byPattern: await isLfs(path),
        isLfsNow: now?.pointer !== undefined,
        sample: Buffer.from(sample, 'base64'),
      });
      if (mode === 'lfs') bytes += size;
      results.push({
        path,
        uploadMode: mode,
        shouldIgnore: await isIgnored(path),
        ...(now && { oid: oidOf(now) }),
      });
    }
    if (bytes > 0) {
      const proposerId = await largeFiles.proposerIn(read, caller.principal, repo, permissionFor(request));
      await largeFiles.requireRoom(read, repo, bytes, proposerId);
    }
    return { files: results, commitOid: at.commit };
  };
}

const oidOf = ({ id, pointer }: BlobFacts & { readonly id: string }): string => pointer?.sha256 ?? id;
