import { readsElsewhere } from '../access/index.ts';
import {
  entryNotFound,
  partsOfUrl,
  type ResolvedPath,
  type RevisionPath,
  revisionNotFound,
  revisionPathsIn,
} from '../content/index.ts';
import { createKeyedSemaphore } from '../platform/concurrency/semaphore.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../platform/http/answer.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { HubError, tooManyRequests } from '../platform/http/errors.ts';
import { JSON_TYPE } from '../platform/http/json/text.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { FailedRequest } from '../platform/http/route.ts';
import { redirectAfterMove } from '../repositories/index.ts';
import type { UpstreamAnswers } from './facts/answers.ts';
import type { UpstreamName } from './facts/checking.ts';
import { isPath, isRevision } from './facts/forms.ts';
import { isRevisionNotFound, type UpstreamRepos } from './facts/repos.ts';
import { createGate } from './gate.ts';
import { isOurs } from './namespace-store.ts';
import { includesPullRequests, nameIn, pathsIn, queryOf, READINGS, type Reading } from './operations.ts';
import type { createNameRule } from './policy.ts';
import type { createServing } from './serving.ts';
import type { UpstreamRepoRow } from './tables.ts';

/** How many ways to split a URL into a revision and a path are tried. */
const MAX_SPLITS = 4;

/** The number of requests that one caller has answered at once, and that wait behind them. */
const MAX_AT_ONCE = 16;
const MAX_WAITING = 500;
const SECONDS_TO_WAIT = 10;

const tooMany = () => tooManyRequests('You have too many requests for files of the upstream', SECONDS_TO_WAIT);

interface Dependencies {
  readonly read: ReadExecutor;
  readonly ruleOf: ReturnType<typeof createNameRule>;
  /** Whether whoever is signed in reads what is private or gated at the upstream. */
  readonly sharePrivate: boolean;
  readonly repos: UpstreamRepos;
  readonly answers: UpstreamAnswers;
  readonly serve: ReturnType<typeof createServing>;
}

/** Reads from the upstream what this hub does not have. */
export function createReading({ read, ruleOf, sharePrivate, repos, answers, serve }: Dependencies) {
  const inTurn = createKeyedSemaphore({ atOnce: MAX_AT_ONCE, maxWaiting: MAX_WAITING, refuse: tooMany });
  const gate = createGate(sharePrivate);

  /**
   * Returns whether a caller may have a name looked up. In a namespace of this hub nothing is looked up, unless the operator
   * has named it: a name there means what its owner says, and what is hidden there is like what is missing.
   */
  async function mayAsk({ principal }: ReadingCaller, { name }: UpstreamName): Promise<boolean> {
    const rule = ruleOf(name.toLowerCase());
    if (rule === 'no' || !readsElsewhere(principal, 'public')) return false;
    return rule === 'yes' || !(await isOurs(read, name.split('/')[0] ?? ''));
  }

  /** Returns the first split of a URL whose revision exists, beginning with the shortest revision. */
  async function resolve({ caller }: FailedRequest, repo: UpstreamRepoRow, skipped: number): Promise<ResolvedPath> {
    const url = caller.url.slice(caller.baseUrl.length);
    const splits = splitsOf(url, skipped);
    for (const [at, split] of splits.entries())
      try {
        return { ...split, commit: await commitOf(repo, split.revision) };
      } catch (error) {
        if (!isRevisionNotFound(error) || at === splits.length - 1) throw error;
      }
    throw new Error('A URL has at least one revision');
  }

  /** Returns the commit of a revision. Throws 404 `RevisionNotFound` for a text that is none. */
  function commitOf(repo: UpstreamRepoRow, revision: string): Promise<string> {
    if (!isRevision(revision)) throw revisionNotFound(revision);
    return repos.commitOf(repo, revision);
  }

  async function answer(request: FailedRequest, repo: UpstreamRepoRow, reading: Reading, revision: string) {
    switch (reading.what) {
      case 'access':
        gate.requireFiles(request.caller, repo);
        return json('{}');
      case 'info': {
        const commit = await commitOf(repo, revision);
        return json(await answers.info({ repo, commit }, queryOf(request, ['blobs', 'expand'])));
      }
      case 'refs':
        return json(await answers.refs(repo, includesPullRequests(request)));
      case 'tree': {
        const at = await resolve(request, repo, reading.skipped);
        if (at.path !== '' && !isPath(at.path)) throw entryNotFound(at);
        const of = { repo, commit: at.commit };
        const page = await answers.tree(of, at, queryOf(request, ['recursive', 'expand', 'limit', 'cursor']));
        return answerPage(page, request.caller.url);
      }
      case 'paths': {
        const at = await resolve(request, repo, reading.skipped);
        if (at.path !== '') throw revisionNotFound(`${at.revision}/${at.path}`);
        const of = { repo, commit: at.commit };
        const { paths, expand } = pathsIn(request);
        if (paths.length === 0) return json('[]');
        if (expand) return json(JSON.stringify(await answers.expanded(of, paths)));
        const found = await answers.entries(of, paths);
        return json(JSON.stringify(paths.flatMap((path) => found.get(path) ?? [])));
      }
      case 'file': {
        gate.requireFiles(request.caller, repo);
        const at = await resolve(request, repo, reading.skipped);
        return serve({ repo, commit: at.commit }, at, request, reading.raw);
      }
    }
  }

  /**
   * Returns the answer of the upstream in place of the error that there is no such repository here; every other error, and
   * that for what the caller may not read from there, unchanged.
   */
  return async (error: unknown, request: FailedRequest): Promise<unknown> => {
    if (!(error instanceof HubError) || error.extra.code !== 'RepoNotFound') return error;
    const reading = READINGS.get(request.operation);
    const name = reading && nameIn(request);
    if (!reading || !name || !(await mayAsk(request.caller, name))) return error;
    const { principal, address } = request.caller;
    return inTurn(principal.userId ?? address, async () => {
      const repo = await repos.find(name, (found) => gate.mayRead(request.caller, found));
      if (!repo) return error;
      if (repo.name.toLowerCase() !== name.name.toLowerCase()) return movedTo(request, name, repo) ?? error;
      return answer(request, repo, reading, name.revision);
    }).catch((fault: unknown) => fault);
  };
}

/** Redirects to the name that a repository has at the upstream now: whatever holds for that name decides. */
function movedTo({ caller }: FailedRequest, from: UpstreamName, { name }: UpstreamRepoRow): HubError | undefined {
  const [namespace = '', oldName = ''] = from.name.split('/');
  const [owner = '', newName = ''] = name.split('/');
  return redirectAfterMove(caller, { namespace, name: oldName }, { owner, name: newName });
}

const json = (text: string): Answer<never> => rawAnswer(text, { headers: { 'content-type': JSON_TYPE } });

/** Returns the ways to split a URL, the shortest revision first unless the slashes of the revision are escaped. */
function splitsOf(url: string, skipped: number): RevisionPath[] {
  const splits = revisionPathsIn(url, skipped);
  const [exact] = splits;
  if (exact && partsOfUrl(url, skipped)[0]?.includes('/')) return [exact];
  return splits.reverse().slice(0, MAX_SPLITS);
}
