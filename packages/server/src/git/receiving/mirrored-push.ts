import type { ContentParts } from '../../content/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Repository } from '../../repositories/index.ts';
import { type AcceptDependencies, createAccepting } from './accept.ts';
import type { RefCommand } from './commands.ts';
import type { PushedPointer } from './examine.ts';
import { createMoving, type MovingDependencies } from './moving.ts';
import { openQuarantine, unpack } from './quarantine.ts';

/** What the hub has found at the remote of a mirror, to be pushed on behalf of the user who set the mirror up. */
export interface MirroredPush {
  readonly caller: Caller;
  readonly repo: Repository;
  readonly commands: readonly RefCommand[];
  /** The pack of the remote; undefined if the repository has all objects. */
  readonly pack: AsyncIterable<Uint8Array> | undefined;
  /** Brings large files. Throws if that fails. */
  readonly obtain: (missing: readonly PushedPointer[]) => Promise<void>;
  /** Returns the caller as of now. Throws if the caller may no longer push. */
  readonly callerNow: () => Promise<Caller>;
  /** Throws if the push is no longer wanted; runs in the transaction that moves the refs. */
  readonly requireWanted: (tx: Executor) => Promise<void>;
  /** Ends the push. */
  readonly signal: AbortSignal;
}

/** Why nothing of a mirrored push was accepted, or else which refs were refused, each with the reason. */
export interface MirroredPushResult {
  readonly fault: string | undefined;
  readonly refused: ReadonlyMap<string, string>;
}

const oversizeFault = (maxBytes: number): string => `its pack has more than ${Math.floor(maxBytes / 1024 ** 2)} MiB`;
const ENDED = 'the check of its objects was ended';
/** The interval at which a long push says that it is alive. */
const TOUCH_MS = 5 * 60_000;

type Dependencies = Omit<AcceptDependencies, 'move'> &
  MovingDependencies & { readonly contents: Pick<ContentParts, 'prepareForGit'>; readonly maxPushBytes: number };

/** Returns the function that takes what the remote of a mirror has, by the same rules as any other push. */
export function createMirroredPush(dependencies: Dependencies) {
  const { store, contents, refPorts, maxPushBytes } = dependencies;
  const move = createMoving({ ...dependencies, refPorts: { ...refPorts, followsRemote: true } });
  const accept = createAccepting({ ...dependencies, move });

  return async ({ pack, signal, ...push }: MirroredPush): Promise<MirroredPushResult> => {
    const { repo, commands } = push;
    using _held = await contents.prepareForGit(repo.id);
    await using quarantine = await openQuarantine(store, repo.id);
    using _ = every(TOUCH_MS, quarantine.touch);
    const unpacked = pack
      ? await unpack(quarantine, {
          ...{ bytes: pack, maxBytes: maxPushBytes, oversizeFault: oversizeFault(maxPushBytes), stallFault: ENDED },
          hold({ end }) {
            signal.throwIfAborted();
            signal.addEventListener('abort', end, { once: true });
          },
        })
      : { added: [] };
    signal.throwIfAborted();
    if (typeof unpacked === 'string') return { fault: unpacked, refused: new Map() };
    const messages: string[] = [];
    const { unpackFault, faults } = await accept(
      { ...quarantine, ...unpacked },
      {
        ...push,
        name: { type: repo.type, namespace: repo.ownerName, name: repo.name },
        request: { commands, isAtomic: false, hasReport: false, hasSideBand: false, isShallow: false },
      },
      ({ message }) => messages.push(message),
    );
    return { fault: unpackFault ?? messages[0], refused: faults };
  };
}

/** Runs work at an interval until disposed of. Work that fails is repeated like any other. */
function every(ms: number, work: () => Promise<void>): Disposable {
  const timer = setInterval(() => void work().catch(() => {}), ms).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
