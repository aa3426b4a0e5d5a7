import { type ContentParts, refsWithTags } from '../content/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import { runGit, startGit } from '../platform/git/stock/git-process.ts';
import type { GitSlots } from '../platform/git/stock/git-slots.ts';
import { requireGit } from '../platform/git/stock/git-version.ts';
import { unreachableFrom } from '../platform/git/stock/unreachable.ts';
import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { requesterOf } from '../platform/limits/requester.ts';
import { type RepoName, readRepoFiles } from '../repositories/index.ts';
import { wholeBody } from './body.ts';
import { capabilities, listedRefs } from './protocol/advertisement.ts';
import { parseFetchRequest } from './protocol/fetch-request.ts';
import { errorLine, FLUSH, pktLine } from './protocol/pkt-line.ts';
import { BUSY, orUnavailable } from './refusals.ts';

/** The maximum size of a request of a fetch: it names each commit that the client has. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
/** A client that takes nothing for this long is cut off, and sooner while others wait. */
const MAX_STALL_MS = 60_000;

interface Dependencies extends Pick<ContentParts, 'prepareForGit' | 'refsForGit'> {
  readonly read: ReadExecutor;
  readonly store: GitStore;
  readonly slots: GitSlots;
  readonly agent: string;
}

export interface GitRequest {
  /** The value of `Git-Protocol`. */
  readonly protocol: string | undefined;
}

const isVersion2 = ({ protocol }: GitRequest): boolean => (protocol ?? '').split(':').includes('version=2');
const typeOf = (kind: 'advertisement' | 'result') => ({
  headers: {
    'content-type': `application/x-git-upload-pack-${kind}`,
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
  },
});

/** The verbs of clone and fetch. Version 2 lists refs from their rows; git itself sends objects. */
export function createFetching({ read, store, prepareForGit, refsForGit, slots, agent }: Dependencies) {
  /** The first response to a client of version 0 or 1, which lists all refs. */
  async function advertiseOld(repoId: string, { protocol }: GitRequest): Promise<Buffer> {
    using _held = await prepareForGit(repoId);
    const environment = protocol === undefined ? {} : { GIT_PROTOCOL: protocol };
    const refs = await runGit({
      args: ['upload-pack', '--http-backend-info-refs', store.folderOf(repoId)],
      environment,
    });
    return Buffer.concat([pktLine('# service=git-upload-pack\n'), FLUSH, refs]);
  }

  /** Returns an object among the wanted that no ref leads to; git would send it in version 2 of the protocol. */
  async function hiddenAmong(repoId: string, wants: readonly string[]): Promise<string | undefined> {
    const heads = new Set((await refsForGit(repoId)).flatMap(({ sha, tagId }) => [sha, tagId ?? sha]));
    const others = wants.filter((id) => !heads.has(id));
    if (others.length === 0) return undefined;
    const [hidden] = await unreachableFrom(store.folderOf(repoId), [...heads], others);
    return hidden;
  }

  async function sendObjects(
    caller: ReadingCaller,
    repoId: string,
    request: GitRequest & { readonly input: Buffer; readonly wants: readonly string[] },
  ) {
    const held = await prepareForGit(repoId);
    const slot = await slots.acquire(requesterOf(caller));
    const release = () => {
      slot?.[Symbol.dispose]();
      held[Symbol.dispose]();
    };
    try {
      if (!slot) {
        release();
        return errorLine(BUSY);
      }
      const { protocol, input } = request;
      const hidden = await hiddenAmong(repoId, request.wants);
      if (hidden !== undefined) {
        release();
        return errorLine(`upload-pack: not our ref ${hidden}`);
      }
      const git = await startGit({
        args: ['upload-pack', '--stateless-rpc', '--strict', store.folderOf(repoId)],
        environment: protocol === undefined ? {} : { GIT_PROTOCOL: protocol },
      });
      slot.hold(git);
      git.output.once('close', () => git.end());
      void git.ended.then(release);
      git.input.end(input);
      return git.output;
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    async advertiseFetch(caller: ReadingCaller, name: RepoName, request: GitRequest): Promise<Answer<never>> {
      const repo = await readRepoFiles(read, caller, name);
      await orUnavailable(requireGit());
      const body = isVersion2(request) ? capabilities(agent) : await advertiseOld(repo.id, request);
      return rawAnswer(body, typeOf('advertisement'));
    },

    async fetch(
      caller: ReadingCaller,
      name: RepoName,
      request: GitRequest & { readonly body: AsyncIterable<Uint8Array> },
    ): Promise<Answer<never>> {
      const repo = await readRepoFiles(read, caller, name);
      const input = await wholeBody(request.body, MAX_REQUEST_BYTES);
      const { list, wants } = await parseFetchRequest(input, isVersion2(request));
      if (list) return rawAnswer(listedRefs(await refsWithTags(read, repo.id), list), typeOf('result'));
      const objects = await orUnavailable(sendObjects(caller, repo.id, { ...request, input, wants }));
      return rawAnswer(objects, { ...typeOf('result'), stallMs: MAX_STALL_MS });
    },
  };
}
