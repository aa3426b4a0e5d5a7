import { type ListAll, type ListPages, listed, paged, type Section } from '../section.ts';

/** The lists of other slices, as their users see them: without secrets. */
export interface SignInSources {
  readonly sessions: ListAll;
  readonly signIns: ListPages;
  readonly accessTokens: ListPages;
  readonly grants: ListAll;
  readonly applications: ListAll;
  readonly publishers: ListAll;
  readonly identities: ListAll;
}

/** How the user signs in, and who acts for the user. */
export const signInSections = (lists: SignInSources): Section[] => [
  listed('sessions', async (caller) => (await lists.sessions(caller)).map(withoutCurrent)),
  paged('signIns', lists.signIns),
  paged('accessTokens', lists.accessTokens),
  listed('oauthGrants', lists.grants),
  listed('oauthApplications', lists.applications),
  listed('trustedPublishers', lists.publishers),
  listed('identities', lists.identities),
];

/** Removes the mark of the session that asks, which an export does not have. */
const withoutCurrent = (session: object): object => ({ ...session, current: undefined });
