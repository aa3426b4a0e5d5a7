import { requireRepo } from '../../access/index.ts';
import type { FindPrincipal } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { type Repository, repoFacts } from '../../repositories/index.ts';
import type { MirrorRow } from '../tables.ts';

/** Why a mirror may no longer change its repository, in a sentence for people. */
export class MirrorStopped extends Error {
  override name = 'MirrorStopped';
}

const ADVICE = 'Whoever may change the repository can set the mirror again';

interface Dependencies {
  readonly principalOf: FindPrincipal;
  /** Returns the address of the hub. */
  readonly address: () => string;
}

export type RequireCaller = ReturnType<typeof createAuthority>;

/**
 * Creates the function that returns on whose behalf a mirror changes its repository: the user who set it up, with no more
 * rights than that user and the access token have now. Throws `MirrorStopped` if these do not suffice.
 */
export function createAuthority({ principalOf, address }: Dependencies) {
  return async (
    executor: ReadExecutor,
    { id, user_id: userId, token_id: tokenId }: MirrorRow,
    repo: Repository,
  ): Promise<Caller> => {
    if (userId === null) throw new MirrorStopped(`The user who set the mirror up no longer exists. ${ADVICE}`);
    const principal = await principalOf(executor, { userId, tokenId });
    if (!principal) {
      const what = tokenId === null ? 'user who set the mirror up is disabled' : TOKEN_INVALID;
      throw new MirrorStopped(`The ${what}. ${ADVICE}`);
    }
    await requireRepo(executor, principal, repoFacts(repo), 'repo.write').catch((error: unknown) => {
      if (!(error instanceof HubError)) throw error;
      const who = `${principal.userName}, who set the mirror up, may no longer change this repository`;
      throw new MirrorStopped(`${who}${tokenId === null ? '' : ' with the access token that was used'}. ${ADVICE}`);
    });
    const url = address();
    return {
      ...{ principal, baseUrl: url, hubUrl: url, url },
      ...{ address: '', userAgent: undefined, requestId: `mirror-${id}` },
    };
  };
}

const TOKEN_INVALID = 'access token with which the mirror was set up is no longer valid, or its user is disabled';
