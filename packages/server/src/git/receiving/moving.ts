import { missingRepo, requireRepo } from '../../access/index.ts';
import { type LargeFiles, pullRequestNumber, refsWithTags } from '../../content/index.ts';
import type { Discussions } from '../../discussions/index.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import {
  BRANCH,
  createRefNames,
  lockRepo,
  MAIN,
  moveRefs,
  type RefMove,
  type RefNames,
  type RefPorts,
  type RepoName,
  type Repository,
  refNameFault,
  repoFacts,
  requireUnmirrored,
  TAG,
} from '../../repositories/index.ts';
import type { RefCommand } from './commands.ts';
import type { PushedPointer, Target } from './examine.ts';

/** A push whose objects are in the repository. */
export interface CheckedPush {
  readonly caller: Caller;
  readonly name: RepoName;
  /** The repository whose folder has the objects. */
  readonly repoId: string;
  readonly commands: readonly RefCommand[];
  readonly isAtomic: boolean;
  /** Where each ref goes, or why it cannot; undefined for a ref that is deleted. */
  readonly targets: ReadonlyMap<string, Target | string | undefined>;
  readonly pointers: readonly PushedPointer[];
  /** Returns the first line of a commit's message. */
  readonly subjectOf: (commit: string) => Promise<string>;
  /** Throws if the push is no longer wanted. */
  readonly requireWanted?: ((tx: Executor) => Promise<void>) | undefined;
}

export interface MovingDependencies {
  readonly database: Database;
  readonly discussions: Pick<Discussions, 'lockForPush'>;
  readonly largeFiles: Pick<LargeFiles, 'recordPlaces'>;
  readonly refPorts: RefPorts;
}

export type MoveAll = ReturnType<typeof createMoving>;

/** A move with what follows it in the same transaction. */
interface PlannedMove extends RefMove {
  readonly record?: ((pushed: { subject: string; newSha: string }) => Promise<void>) | undefined;
}

/** Moves the refs of a push in one transaction with one event. */
export function createMoving({ database, discussions, largeFiles, refPorts }: MovingDependencies) {
  /** Returns the move of one ref, or why it is refused. */
  async function planMove(
    tx: Executor,
    { caller, name, targets }: CheckedPush,
    { repo, current, names, requireWriter }: Before,
    command: RefCommand,
  ): Promise<PlannedMove | string | undefined> {
    const { ref, oldId, newId } = command;
    const fault = refFault(command);
    if (fault !== undefined) return fault;
    if (!refPorts.followsRemote) requireUnmirrored(repo, ref);
    const now = current.get(ref);
    if ((now?.tagId ?? now?.sha ?? null) !== oldId) return 'somebody else has moved it: fetch first';
    if (oldId === newId) return undefined;
    const target = targets.get(ref);
    if (typeof target === 'string') return target;
    const num = pullRequestNumber(ref);
    const record = num === undefined ? undefined : await discussions.lockForPush(tx, caller, name, num);
    if (num === undefined) await requireWriter();
    const obstacle = now ? undefined : names.obstacleTo(ref);
    if (obstacle !== undefined) return `it cannot be beside ${obstacle}`;
    if (newId === null) names.delete(ref);
    else names.add(ref);
    return { ref, oldSha: now?.sha ?? null, newSha: target?.sha ?? null, tagId: target?.tagId ?? null, record };
  }

  /** Returns the reasons of refused refs; all others have moved. Throws a `HubError` if the repository cannot be seen. */
  return (push: CheckedPush): Promise<Map<string, string>> =>
    database.transaction(async (tx) => {
      const { caller, name, commands, pointers, subjectOf } = push;
      const repo = await lockRepo(tx, name);
      // Something else may have taken the name since the push began.
      if (repo?.id !== push.repoId) throw await missingRepo(tx, caller.principal, name.namespace);
      await push.requireWanted?.(tx);
      await requireRepo(tx, caller.principal, repoFacts(repo), 'repo.content.read');
      const current = new Map((await refsWithTags(tx, repo.id)).map((each) => [each.ref, each]));
      let asked: Promise<unknown> | undefined;
      const requireWriter = () => (asked ??= requireRepo(tx, caller.principal, repoFacts(repo), 'repo.write'));
      const before = { repo, current, names: createRefNames(current.keys()), requireWriter };
      const faults = new Map<string, string>();
      const moves: PlannedMove[] = [];
      // Deletions come first, since `a` makes room for `a/b`.
      const deletions = commands.filter(({ newId }) => newId === null);
      for (const command of new Set([...deletions, ...commands])) {
        const planned = await planMove(tx, push, before, command).catch(messageOf);
        if (typeof planned === 'string') faults.set(command.ref, planned);
        else if (planned) moves.push(planned);
      }
      if (push.isAtomic && faults.size > 0) {
        for (const { ref } of commands)
          if (!faults.has(ref)) faults.set(ref, 'another ref of this atomic push is refused');
        return faults;
      }
      const [first] = moves;
      if (!first) return faults;
      await moveRefs(refPorts, tx, caller, repo, moves);
      // What goes to a branch as well counts as committed there.
      const { ref } = moves.find((move) => pullRequestNumber(move.ref) === undefined) ?? first;
      const places = pointers.map(({ sha256, path }) => ({ sha256, filename: path, ref }));
      await largeFiles.recordPlaces(tx, repo, places);
      for (const { record, newSha } of moves)
        if (record && newSha !== null) await record({ newSha, subject: await subjectOf(newSha) });
      return faults;
    });
}

interface Current {
  readonly sha: string;
  readonly tagId: string | null;
}

/** A repository before a push moves its refs. */
interface Before {
  readonly repo: Repository;
  readonly current: ReadonlyMap<string, Current>;
  /** The names of the refs as the moves that are planned so far leave them. */
  readonly names: RefNames;
  /** Throws 403 unless the caller may write to the repository. */
  readonly requireWriter: () => Promise<unknown>;
}

/** Returns why nobody may do this to a ref, or undefined. */
function refFault({ ref, newId }: RefCommand): string | undefined {
  if (pullRequestNumber(ref) !== undefined)
    return newId === null ? 'only the hub deletes the refs of pull requests' : undefined;
  const prefix = [BRANCH, TAG].find((each) => ref.startsWith(each));
  if (prefix === undefined) return 'only refs/heads/, refs/tags/ and refs/pr/N can be pushed';
  if (ref === MAIN && newId === null) return 'the branch main cannot be deleted';
  const fault = refNameFault(ref.slice(prefix.length));
  return fault === undefined ? undefined : `its name ${fault}`;
}

/** Returns the message of an error that is written for the caller; throws any other. */
export function messageOf(error: unknown): string {
  if (error instanceof HubError && error.status < 500) return error.message;
  throw error;
}
