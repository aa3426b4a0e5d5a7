import { type ContentParts, type LargeFiles, refsWithTags, type StoredRef } from '../../content/index.ts';
import type { Git } from '../../git/index.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { BRANCH, findRepoById, type Repository } from '../../repositories/index.ts';
import type { OpenRemote, Remote } from '../remote/client.ts';
import type { RemoteRefs } from '../remote/refs.ts';
import { findMirror } from '../store.ts';
import type { MirrorRow, RefusedRef } from '../tables.ts';
import { openToken } from '../token.ts';
import type { RequireCaller } from './authority.ts';
import { havesOf } from './haves.ts';
import { createObtaining } from './obtain.ts';
import { planUpdate, type UpdatePlan } from './plan.ts';

/** The mirror was changed or removed, or its repository is gone: nothing is to be recorded. */
export class SyncSuperseded extends Error {
  override name = 'SyncSuperseded';
}

/** The most refused refs that are remembered. */
const MAX_REFUSED = 1_000;
const MEBIBYTE = 1024 * 1024;

interface Dependencies {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly contents: Pick<ContentParts, 'openObjects'>;
  readonly largeFiles: Pick<LargeFiles, 'maxBytes' | 'receive' | 'requireRoom'>;
  readonly pushMirrored: Git['pushMirrored'];
  readonly openRemote: OpenRemote;
  readonly requireCaller: RequireCaller;
}

interface Following {
  readonly signal: AbortSignal;
  /** Called with a sentence that says how far the sync is. */
  readonly onProgress: (text: string) => void;
}

/** A mirror with its repository, the refs of the repository, and the remote. */
interface Situation {
  readonly mirror: MirrorRow;
  readonly repo: Repository;
  readonly local: readonly StoredRef[];
  readonly remote: Remote;
}

/** Makes a repository as its remote is; returns the refs that were refused. */
export type Sync = (mirror: MirrorRow, following: Following) => Promise<readonly RefusedRef[]>;

/**
 * Creates the function that syncs a mirror once. Throws a `RemoteFault`, a `MirrorStopped` or a `HubError`, whose messages are
 * for people, and changes nothing then.
 */
export function createSync(dependencies: Dependencies): Sync {
  const { database, secretBox, contents, pushMirrored, openRemote, requireCaller } = dependencies;
  const { read } = database;
  const obtain = createObtaining({ ...dependencies, read });

  function open(mirror: MirrorRow): Remote {
    const opened = openToken(secretBox, mirror);
    if (opened === 'unreadable') throw new RemoteFault('The token of the mirror can no longer be read; give it again');
    return openRemote({ url: mirror.url, username: mirror.username, token: opened.token });
  }

  /** Throws unless the mirror is as it was and may still change its repository. */
  const requireWanted = (mirror: MirrorRow) => async (tx: ReadExecutor) => {
    const now = await findMirror(tx, mirror.id);
    if (now?.version !== mirror.version) throw new SyncSuperseded();
    const repo = await findRepoById(tx, mirror.id);
    if (!repo) throw new SyncSuperseded();
    await requireCaller(tx, now, repo);
  };

  /** Fetches what is new and pushes it. */
  async function update({ mirror, repo, local, remote }: Situation, plan: UpdatePlan, following: Following) {
    const { signal, onProgress } = following;
    const { commands, wants } = plan;
    const caller = await requireCaller(read, mirror, repo);
    const moving = new Set(commands.map(({ ref }) => ref));
    const haves = await havesOf(contents.openObjects(repo.id), local, moving);
    const pack = wants.length === 0 ? undefined : counted(remote.fetchPack({ wants, haves }, signal), onProgress);
    const { userId } = caller.principal;
    const transfer = {
      ...{ remote, url: mirror.url, hasToken: mirror.token !== null, repo, userId, signal, onProgress },
      requireWanted: () => requireWanted(mirror)(read),
    };
    return pushMirrored({
      ...{ caller, repo, commands, pack, signal },
      obtain: (missing) => obtain(transfer, missing),
      callerNow: () => requireCaller(read, mirror, repo),
      requireWanted: requireWanted(mirror),
    }).catch((error: unknown) => {
      // The repository has another name meanwhile.
      throw error instanceof HubError && error.extra.code === 'RepoNotFound' ? new SyncSuperseded() : error;
    });
  }

  return async (mirror, following) => {
    const repo = await findRepoById(read, mirror.id);
    if (!repo) throw new SyncSuperseded();
    await requireCaller(read, mirror, repo);
    const remote = open(mirror);
    following.onProgress('Asking the remote for its branches and tags');
    const found = await remote.listRefs(following.signal);
    if (![...found.refs.keys()].some((ref) => ref.startsWith(BRANCH)))
      throw new RemoteFault('The remote has no branches; the repository stays as it is');
    const local = await refsWithTags(read, repo.id);
    const plan = planUpdate(local, found, parseJson(mirror.refused));
    if (plan.commands.length === 0) return shown(found, plan.refused);
    const { fault, refused } = await update({ mirror, repo, local, remote }, plan, following);
    if (fault !== undefined) throw new RemoteFault(`What the remote sent is refused: ${fault}`);
    const ids = new Map(plan.commands.map(({ ref, newId }) => [ref, newId ?? '']));
    const now = [...refused].map(([ref, reason]) => ({ ref, reason, id: ids.get(ref) ?? '' }));
    return shown(found, [...plan.refused, ...now]);
  };
}

/** Returns the refs that were refused, with those whose names are. */
const shown = ({ unnameable }: RemoteRefs, refused: readonly RefusedRef[]): RefusedRef[] =>
  [...refused, ...[...unnameable].map(([ref, reason]) => ({ ref, reason, id: '' }))].slice(0, MAX_REFUSED);

/** Passes a pack on and reports how much has come. */
async function* counted(
  bytes: AsyncIterable<Buffer>,
  onProgress: (text: string) => void,
): AsyncGenerator<Buffer, void> {
  let received = 0;
  for await (const piece of bytes) {
    received += piece.length;
    onProgress(`Received ${(received / MEBIBYTE).toFixed(1)} MiB of objects`);
    yield piece;
  }
}
