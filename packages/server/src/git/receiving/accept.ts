import { type ContentParts, type LargeFiles, lockedByOthers } from '../../content/index.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import { parseCommit } from '../../platform/git/objects/commit.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { RepoName, Repository } from '../../repositories/index.ts';
import type { PushRequest } from './commands.ts';
import {
  type FilesFault,
  type PushedPointer,
  pointerFault,
  pointersIn,
  sizeFault,
  type Target,
  targetOf,
} from './examine.ts';
import { inspect } from './inspection.ts';
import { lockFault } from './locked-files.ts';
import type { MoveAll } from './moving.ts';
import type { Quarantine } from './quarantine.ts';
import { type PushResult, refuseAll, refuseObjects } from './report.ts';

export interface Push {
  readonly caller: Caller;
  readonly name: RepoName;
  readonly repo: Repository;
  readonly request: PushRequest;
  /** Looks the caller up again; throws 401 unless the credential is still valid. */
  readonly callerNow: () => Promise<Caller>;
  /** Brings large files that the repository lacks, for a push that can. */
  readonly obtain?: ((missing: readonly PushedPointer[]) => Promise<void>) | undefined;
  /** Throws if the push is no longer wanted; runs in the transaction that moves the refs. */
  readonly requireWanted?: ((tx: Executor) => Promise<void>) | undefined;
}

/** A quarantine with a pack, and the objects of the repository that were added to it. */
type Unpacked = Omit<Quarantine, typeof Symbol.asyncDispose> & { readonly added: readonly string[] };

export interface AcceptDependencies {
  readonly database: Database;
  readonly store: GitStore;
  readonly contents: Pick<ContentParts, 'refsForGit' | 'adoptPacks' | 'openObjects'>;
  readonly largeFiles: Pick<LargeFiles, 'find'>;
  readonly move: MoveAll;
}

const NOTHING = { fault: undefined, files: [], isEmpty: true } as const;

/** Returns the function that checks the objects of a push, moves them into the repository, and then moves the refs. */
export function createAccepting({ database: { read }, store, contents, largeFiles, move }: AcceptDependencies) {
  /** Returns which large files are missing, after an attempt to bring them. */
  async function faultOfPointers(
    repoId: string,
    pointers: readonly PushedPointer[],
    obtain: Push['obtain'],
  ): Promise<FilesFault | undefined> {
    const find = () => largeFiles.find(read, repoId, [...new Set(pointers.map(({ sha256 }) => sha256))]);
    const found = await find();
    const missing = pointers.filter(({ sha256 }) => !found.has(sha256));
    if (!obtain || missing.length === 0) return pointerFault(pointers, found);
    await obtain(missing);
    return pointerFault(pointers, await find());
  }

  return async (
    quarantine: Unpacked,
    { caller: pusher, name, repo, request, callerNow, obtain, requireWanted }: Push,
    onFault: (fault: FilesFault) => void,
  ): Promise<PushResult> => {
    const { commands, isAtomic } = request;
    const tips = commands.flatMap(({ newId }) => newId ?? []);
    const known = (await contents.refsForGit(repo.id)).map(({ sha, tagId }) => tagId ?? sha);
    const inspection =
      tips.length === 0 ? NOTHING : await inspect(quarantine, { tips, known, added: quarantine.added });
    if (inspection.fault !== undefined) return refuseObjects(request, inspection.fault);

    const own = contents.openObjects(repo.id);
    const repository = store.openFolder(quarantine.folder, (id) => own.read(id));
    const pointers = await pointersIn(repository, inspection.files);
    // A mirror has what its remote has, whoever has locked files here.
    const locks = obtain ? [] : await lockedByOthers(read, repo.id, pusher.principal.userId);
    const fault =
      sizeFault(inspection.files) ??
      (await faultOfPointers(repo.id, pointers, obtain)) ??
      (await lockFault(quarantine, { tips, known }, locks));
    if (fault !== undefined) {
      onFault(fault);
      return refuseAll(request, fault.message.split('\n', 1)[0]?.replace(/:$/, '') ?? fault.message);
    }
    const targets = new Map<string, Target | string | undefined>();
    for (const command of commands) targets.set(command.ref, await targetOf(repository, command));

    const caller = await callerNow();
    if (!inspection.isEmpty) await contents.adoptPacks(repo.id, quarantine.folder);
    const subjectOf = async (commit: string) =>
      parseCommit((await own.read(commit)).body)
        .message.split('\n', 1)[0]
        ?.trim() ?? '';
    return {
      unpackFault: undefined,
      faults: await move({
        ...{ caller, name, repoId: repo.id, commands, isAtomic, targets, pointers, subjectOf, requireWanted },
      }),
    };
  };
}
