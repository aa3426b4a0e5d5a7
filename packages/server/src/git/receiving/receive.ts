import { PassThrough } from 'node:stream';
import { requireRepo } from '../../access/index.ts';
import { type ContentParts, type LargeFiles, pullRequestNumber, refsWithTags } from '../../content/index.ts';
import type { Discussions } from '../../discussions/index.ts';
import { BlobError } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import type { GitSlots } from '../../platform/git/stock/git-slots.ts';
import { requireGit } from '../../platform/git/stock/git-version.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { type RefPorts, type RepoName, type Repository, readRepo, repoFacts } from '../../repositories/index.ts';
import { refsForPush } from '../protocol/advertisement.ts';
import { createPktReader } from '../protocol/pkt-line.ts';
import { gitBusy, orUnavailable } from '../refusals.ts';
import { createAccepting, type Push } from './accept.ts';
import { MAX_COMMAND_BYTES, readCommands } from './commands.ts';
import { createMoving, messageOf } from './moving.ts';
import { openQuarantine, unpack } from './quarantine.ts';
import { encodeNote, encodeReport, keepAliveOf, type PushResult, refuseAll, refuseObjects } from './report.ts';

const KEEP_ALIVE_MS = 5_000;
const GIBIBYTE = 1024 ** 3;
const MAX_PUSH_BYTES = 2 * GIBIBYTE;

interface Dependencies {
  readonly database: Database;
  readonly store: GitStore;
  readonly contents: Pick<ContentParts, 'prepareForGit' | 'refsForGit' | 'adoptPacks' | 'openObjects'>;
  readonly largeFiles: Pick<LargeFiles, 'find' | 'recordPlaces'>;
  readonly discussions: Pick<Discussions, 'lockForPush' | 'requireCommit'>;
  readonly refPorts: RefPorts;
  readonly slots: GitSlots;
  readonly agent: string;
  readonly onFailure: (error: unknown) => void;
}

const typeOf = (kind: 'advertisement' | 'result') => ({
  headers: { 'content-type': `application/x-git-receive-pack-${kind}`, 'cache-control': 'no-cache' },
});

const INTERNAL = 'something went wrong on the hub; its log says what';

/** The verbs of a push: objects are checked apart from the repository, and then all refs move in one transaction. */
export function createReceiving(dependencies: Dependencies) {
  const { database, store, contents, discussions, slots, agent, onFailure } = dependencies;
  const { read } = database;
  const accept = createAccepting({ ...dependencies, move: createMoving(dependencies) });

  /** Throws 403 if the caller can neither write to a repository nor open pull requests in it. */
  async function requirePusher(caller: Caller, repo: Repository): Promise<void> {
    const may = (permission: 'repo.write' | 'discussion.write') =>
      requireRepo(read, caller.principal, repoFacts(repo), permission);
    await may('repo.write').catch(async (fault: unknown) => {
      await may('discussion.write').catch(() => {
        throw fault;
      });
    });
  }

  /** Answers while a push is checked: with what git shows at the terminal, and at last with the report. */
  function respond(push: Push, work: (note: (text: string) => void) => Promise<PushResult>): Answer<never> {
    const { request } = push;
    const response = new PassThrough();
    const timer = setInterval(() => response.write(keepAliveOf(request)), KEEP_ALIVE_MS);
    void work((text) => response.write(encodeNote(request, text)))
      .catch((error: unknown): PushResult => {
        if (error instanceof HubError && error.status < 500) return refuseAll(request, error.message);
        onFailure(error);
        const isExplained = error instanceof HubError || error instanceof BlobError;
        return refuseAll(request, isExplained ? error.message : INTERNAL);
      })
      .then((result) => response.end(encodeReport(request, result)))
      .finally(() => clearInterval(timer));
    return rawAnswer(response, typeOf('result'));
  }

  /** Returns why the caller may move none of the refs of a push, or undefined if there is one that may be moved. */
  async function refusalOf({ caller, name, repo, request }: Push): Promise<PushResult | undefined> {
    const faults = new Map<string, string>();
    for (const { ref } of request.commands) {
      const num = pullRequestNumber(ref);
      const check =
        num === undefined
          ? requireRepo(read, caller.principal, repoFacts(repo), 'repo.write')
          : discussions.requireCommit(caller, name, num);
      try {
        await check;
        return undefined;
      } catch (error) {
        faults.set(ref, messageOf(error));
      }
    }
    return { unpackFault: undefined, faults };
  }

  async function receive(push: Push, pack: AsyncIterable<Uint8Array>): Promise<Answer<never>> {
    const { caller, repo, request } = push;
    const refusal = await refusalOf(push);
    if (refusal) {
      await readToEnd(pack);
      return respond(push, async () => refusal);
    }
    await requireGit();
    const held = await contents.prepareForGit(repo.id);
    const slot = await slots.acquire(caller.principal.userId);
    const open: AsyncDisposable[] = [];
    const close = async () => {
      for (const each of open) await each[Symbol.asyncDispose]();
      slot?.[Symbol.dispose]();
      held[Symbol.dispose]();
    };
    try {
      if (!slot) throw gitBusy();
      const quarantine = await openQuarantine(store, repo.id);
      open.push(quarantine);
      const hasPack = request.commands.some(({ newId }) => newId !== null);
      const unpacked = hasPack
        ? await unpack(quarantine, { bytes: pack, maxBytes: MAX_PUSH_BYTES, hold: (holder) => slot.hold(holder) })
        : { added: [] };
      return respond(push, async (note) => {
        try {
          if (typeof unpacked === 'string') return refuseObjects(request, unpacked);
          return await accept({ ...quarantine, ...unpacked }, push, note);
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
      const repo = await readRepo(read, caller, name);
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
      const repo = await readRepo(read, caller, name);
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

/** Reads a refused pack, so that its client reads the response. */
async function readToEnd(pack: AsyncIterable<Uint8Array>): Promise<void> {
  let received = 0;
  for await (const { length } of pack) {
    received += length;
    if (received > MAX_PUSH_BYTES) throw new HubError(413, `A push must have at most ${MAX_PUSH_BYTES} bytes`);
  }
}
