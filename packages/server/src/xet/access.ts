import { requireRepo } from '../access/index.ts';
import type { LargeFiles, ProposerId } from '../content/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import {
  ANONYMOUS,
  type Authenticate,
  type Caller,
  isAuthenticated,
  type ReadingCaller,
  type Visitor,
} from '../platform/http/authenticate.ts';
import { tokenIn } from '../platform/http/credential.ts';
import { forbidden } from '../platform/http/errors.ts';
import {
  findRepoById,
  isGatedFor,
  type RepoName,
  type Repository,
  readRepoFiles,
  repoFacts,
} from '../repositories/index.ts';
import { casUrlOf } from './reading/links.ts';
import { invalidToken, type Scope, type Tokens } from './tokens.ts';

interface Dependencies {
  readonly read: ReadExecutor;
  readonly tokens: Tokens;
  readonly authenticate: Authenticate;
  /** Whether what is public can be read without credentials. */
  readonly anonymousRead: boolean;
  /** Throws 404 if a repository has no such revision. */
  readonly commitOf: (repo: Repository, revision: string) => Promise<string>;
  readonly largeFiles: Pick<LargeFiles, 'proposerIn'>;
}

/** Who calls by a Xet token. */
export interface XetCaller<By extends ReadingCaller = Caller> {
  readonly caller: By;
  readonly repo: Repository;
  /** For whose quota the files count that are sent. */
  readonly proposerId: ProposerId;
}

/**
 * Returns who calls now: the access token behind a Xet token, its user and the repository count as they are at each call.
 * Throws 401 if the access token is not valid any more, 403 or 404 if it may not do
 * with the repository what the Xet token is for.
 */
export type CallerNow<By extends ReadingCaller = Caller> = () => Promise<XetCaller<By>>;

export interface TokenRequest {
  readonly direction: Scope['direction'];
  readonly revision: string;
  readonly opensPullRequest: boolean;
  readonly authorization: string | undefined;
}

/** A request with a Xet token. */
export interface TokenUse {
  readonly visitor: Visitor;
  /** The id of the owner in the address. */
  readonly owner: string;
  readonly authorization: string | undefined;
}

const DOING = { read: 'reading', write: 'writing' } as const;

const isProposalTo = ({ revision, opensPullRequest }: TokenRequest): boolean =>
  opensPullRequest || revision.startsWith('refs/pr/');

/** Returns the permission that a scope needs; uploading alone changes no branch. */
function permissionFor({ direction, isProposal }: Pick<Scope, 'direction' | 'isProposal'>) {
  if (direction === 'read') return 'repo.content.read' as const;
  return isProposal ? ('discussion.write' as const) : ('repo.write' as const);
}

/** Returns the id of the account that has the chunks that are sent: whoever proposes a file has its chunks as well. */
export const chunksOwnerOf = ({ repo, proposerId }: Pick<XetCaller<ReadingCaller>, 'repo' | 'proposerId'>): string =>
  proposerId ?? repo.owner_id;

/** The verbs that make tokens and find out who calls with one. */
export function createAccess({ read, tokens, authenticate, anonymousRead, commitOf, largeFiles }: Dependencies) {
  const principalOf = async (credential: string | null) => {
    if (credential !== null) return authenticate({ kind: 'token', text: credential });
    return anonymousRead ? ANONYMOUS : undefined;
  };

  /** Returns for whose quota files count that are sent with a scope. */
  async function proposerOf(
    { principal }: ReadingCaller,
    repo: Repository,
    scope: Pick<Scope, 'direction' | 'isProposal'>,
  ) {
    if (scope.direction === 'read' || principal.userId === undefined) return null;
    return largeFiles.proposerIn(read, principal, repo, permissionFor(scope));
  }

  /**
   * Returns who calls with a token, of one direction if that is given. Throws 401 for a token that is not valid here, 403
   * for one of the other direction.
   */
  function callerWith(
    { visitor, owner, authorization }: TokenUse,
    direction?: Scope['direction'],
  ): CallerNow<ReadingCaller> {
    const { scope, credential } = tokens.read(authorization === undefined ? undefined : tokenIn(authorization));
    if (direction !== undefined && scope.direction !== direction)
      throw forbidden(`This Xet token is for ${DOING[scope.direction]}; request one for ${DOING[direction]}`);
    return async () => {
      const principal = await principalOf(credential);
      const repo = principal && (await findRepoById(read, scope.repoId));
      if (!principal || !repo || (await isGatedFor(read, principal, repo))) throw invalidToken();
      const caller = { ...visitor, principal };
      await requireRepo(read, principal, repoFacts(repo), permissionFor(scope));
      const proposerId = await proposerOf(caller, repo, scope);
      if (chunksOwnerOf({ repo, proposerId }) !== owner) throw invalidToken();
      return { caller, repo, proposerId };
    };
  }

  function writerWith(use: TokenUse): CallerNow {
    const callerNow = callerWith(use, 'write');
    return async () => {
      const { caller, ...others } = await callerNow();
      if (!isAuthenticated(caller)) throw invalidToken();
      return { caller, ...others };
    };
  }

  return {
    writerWith,

    /** Returns a token for a repository and the address that it is for. */
    async token(caller: ReadingCaller, name: RepoName, request: TokenRequest) {
      const { direction, revision, opensPullRequest, authorization } = request;
      const isProposal = direction === 'write' && isProposalTo(request);
      const repo = await readRepoFiles(read, caller, name, permissionFor({ direction, isProposal }));
      // Clients name no revision for a pull request that does not exist yet.
      if (!opensPullRequest && repo.type !== 'bucket') await commitOf(repo, revision);
      const sent = authorization === undefined ? undefined : tokenIn(authorization);
      const credential = isAuthenticated(caller) ? sent : null;
      if (credential === undefined) throw forbidden('Xet needs an access token in the header Authorization');
      const { text, expires } = tokens.make({ repoId: repo.id, direction, isProposal, revision }, credential);
      const proposerId = await proposerOf(caller, repo, { direction, isProposal });
      const owner_id = chunksOwnerOf({ repo, proposerId });
      return { accessToken: text, exp: expires, casUrl: casUrlOf(caller.baseUrl, { owner_id }) };
    },

    /**
     * Returns who calls with a token of either direction and may read the repository: clients that change parts of a file
     * have a token to write.
     */
    async readerWith(use: TokenUse): Promise<XetCaller<ReadingCaller>> {
      const by = await callerWith(use)();
      await requireRepo(read, by.caller.principal, repoFacts(by.repo), 'repo.content.read');
      return by;
    },

    /** Returns who calls with a token for uploads and may also read the repository. Throws like `writerWith`. */
    async readingWriterWith(use: TokenUse): Promise<XetCaller> {
      const by = await writerWith(use)();
      await requireRepo(read, by.caller.principal, repoFacts(by.repo), 'repo.content.read');
      return by;
    },
  };
}

export type Access = ReturnType<typeof createAccess>;
