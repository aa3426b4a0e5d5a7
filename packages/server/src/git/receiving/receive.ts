import { PassThrough } from 'node:stream';
import { type ContentParts, type LargeFiles, refsWithTags } from '../../content/index.ts';
import type { Discussions } from '../../discussions/index.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import type { GitSlots } from '../../platform/git/stock/git-slots.ts';
import { requireGit } from '../../platform/git/stock/git-version.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { knownFault } from '../../platform/http/known-faults.ts';
import { type RefPorts, type RepoName, readRepoFiles } from '../../repositories/index.ts';
import { refsForPush } from '../protocol/advertisement.ts';
import { createPktReader } from '../protocol/pkt-line.ts';
import { BUSY, orUnavailable } from '../refusals.ts';
import { createAccepting, type Push } from './accept.ts';
import { MAX_COMMAND_BYTES, type PushRequest, readCommands } from './commands.ts';
import { createMoving } from './moving.ts';
import { createPushPermission } from './permission.ts';
import { openQuarantine, unpack } from './quarantine.ts';
import { encodeNote, encodeReport, keepAliveOf, type PushResult, refuseAll, refuseObjects } from './report.ts';

const KEEP_ALIVE_MS = 5_000;
/** How much of a refused push is read and dropped: git shows the reason only once it has sent everything. */
const MAX_DROPPED_BYTES = 16 * 1024 ** 3;

interface Dependencies {
  readonly database: Database;
  readonly store: GitStore;
  readonly contents: Pick<ContentParts, 'prepareForGit' | 'refsForGit' | 'adoptPacks' | 'openObjects'>;
  readonly largeFiles: Pick<LargeFiles, 'find' | 'recordPlaces'>;
  readonly discussions: Pick<Discussions, 'lockForPush' | 'requireCommit'>;
  readonly refPorts: RefPorts;
  readonly slots: GitSlots;
  readonly maxPushBytes: number;
  readonly agent: string;
  readonly onFailure: (error: unknown) => void;
}

const typeOf = (kind: 'advertisement' | 'result') => ({
  headers: { 'content-type': `application/x-git-receive-pack-${kind}`, 'cache-control': 'no-cache' },
});

const STALLED = 'the push was ended because it made no progress';
const INTERNAL = 'something went wrong on the hub; its log says what';

/** The verbs of a push: objects are checked apart from the repository, and then all refs move in one transaction. */
export function createReceiving(dependencies: Dependencies) {
  const { database, store, contents, slots, maxPushBytes, agent, onFailure } = dependencies;
  const { read } = database;
  const accept = createAccepting({ ...dependencies, move: createMoving(dependencies) });
  const { requirePusher, refusalOf } = createPushPermission(dependencies);

  /** Returns the report of a push that failed with an error. */
  function failed(request: PushRequest, error: unknown): PushResult {
    const fault = knownFault(error);
    if (!fault || fault.status >= 500) onFailure(error);
    return refuseAll(request, fault?.message ?? INTERNAL);
  }

  /** Answers while a push is checked: with what git shows at the terminal, and at last with the report. */
  function respond(push: Push, work: (note: (text: string) => void) => Promise<PushResult>): Answer<never> {
    const { request } = push;
    const response = new PassThrough();
    const timer = setInterval(() => response.write(keepAliveOf(request)), KEEP_ALIVE_MS);
    void work((text) => response.write(encodeNote(request, text)))
      .catch((error: unknown) => failed(request, error))
      .then((result) => response.end(encodeReport(request, result)))
      .finally(() => clearInterval(timer));
    return rawAnswer(response, typeOf('result'));
  }

  /** Waits for a slot and opens a quarantine; returns why the push is refused if it gets none. */
  async function begin({ caller, repo, request }: Push) {
    const held = await contents.prepareForGit(repo.id);
    const slot = await slots.acquire(caller.principal.userId);
    const release = () => {
      slot?.[Symbol.dispose]();
      held[Symbol.dispose]();
    };
    try {
      if (slot) return { slot, release, quarantine: await openQuarantine(store, repo.id) };
    } catch (error) {
      release();
      throw error;
    }
    release();
    return refuseAll(request, BUSY);
  }

  async function receive(push: Push, pack: AsyncIterable<Uint8Array>): Promise<Answer<never>> {
    const { request } = push;
    await requireGit();
    const begun = (await refusalOf(push)) ?? (await begin(push).catch((error: unknown) => failed(request, error)));
    if (!('slot' in begun)) {
      await readToEnd(pack);
      return respond(push, async () => begun);
    }
    const { slot, quarantine, release } = begun;
    const close = async () => {
      await quarantine[Symbol.asyncDispose]();
      release();
    };
    try {
      const hasPack = request.commands.some(({ newId }) => newId !== null);
      const unpacked = hasPack
        ? await unpack(quarantine, {
            ...{ bytes: pack, maxBytes: maxPushBytes, maxDroppedBytes: MAX_DROPPED_BYTES },
            ...{ oversizeFault: oversizeFault(maxPushBytes), stallFault: STALLED },
            hold: (holder) => slot.hold(holder),
          })
        : { added: [] };
      return respond(push, async (note) => {
        try {
          if (typeof unpacked === 'string') return refuseObjects(request, unpacked);
          return await accept({ ...quarantine, ...unpacked }, push, ({ message, advice }) =>
            note(`${message}\n${advice}\n`),
          );
        } finally {
          await close();
        }
      });
    } catch (error) {
      await close();
      throw error;
    }
  }

  return {
    async advertisePush(caller: Caller, name: RepoName): Promise<Answer<never>> {
      const repo = await readRepoFiles(read, caller, name);
      await requirePusher(caller, repo);
      await orUnavailable(requireGit());
      return rawAnswer(refsForPush(await refsWithTags(read, repo.id), agent), typeOf('advertisement'));
    },

    /** Receives a push. `callerNow` looks the caller up again, because a push may take an hour; throws 401. */
    async push(
      caller: Caller,
      name: RepoName,
      { body, callerNow }: { readonly body: AsyncIterable<Uint8Array>; readonly callerNow: () => Promise<Caller> },
    ): Promise<Answer<never>> {
      const repo = await readRepoFiles(read, caller, name);
      await requirePusher(caller, repo);
      const reader = createPktReader(body, MAX_COMMAND_BYTES);
      const request = await readCommands(reader).catch(async (error: unknown) => {
        await reader.close();
        throw error;
      });
      if (!request) return rawAnswer('', typeOf('result'));
      return orUnavailable(receive({ caller, name, repo, request, callerNow }, reader.rest()));
    },
  };
}

const oversizeFault = (maxBytes: number): string =>
  `the push has more than ${Math.floor(maxBytes / 1024 ** 2)} MiB; push in several steps, or large files with git-lfs`;

const tooLarge = () => new HubError(413, 'The push is far too large');

/** Reads a refused pack, so that its client reads the response. */
async function readToEnd(pack: AsyncIterable<Uint8Array>): Promise<void> {
  let received = 0;
  for await (const { length } of pack) {
    received += length;
    if (received > MAX_DROPPED_BYTES) throw tooLarge();
  }
}
