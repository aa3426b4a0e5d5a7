import { requireRepo } from '../../access/index.ts';
import { pullRequestNumber } from '../../content/index.ts';
import type { Discussions } from '../../discussions/index.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { type Repository, repoFacts, requireUnmirrored } from '../../repositories/index.ts';
import type { Push } from './accept.ts';
import { messageOf } from './moving.ts';
import type { PushResult } from './report.ts';

interface Dependencies {
  readonly database: Database;
  readonly discussions: Pick<Discussions, 'requireCommit'>;
}

const isMissing = (error: unknown): boolean => error instanceof HubError && error.extra.code === 'RevisionNotFound';

/** Creates the functions that refuse a push before its objects are read. */
export function createPushPermission({ database: { read }, discussions }: Dependencies) {
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
        requireUnmirrored(repo, ref);
        return undefined;
      } catch (error) {
        faults.set(ref, isMissing(error) ? `there is no pull request ${num}` : messageOf(error));
      }
    }
    return { unpackFault: undefined, faults };
  }

  return { requirePusher, refusalOf };
}
