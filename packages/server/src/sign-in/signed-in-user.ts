import type { Account } from '../accounts/index.ts';
import type { BegunStep } from './second-factor/second-step.ts';
import type { BegunSession } from './sessions/service.ts';

/** An authenticated user, with a session or with the second step still to take. */
export type SignedInUser = { readonly user: Account } & (
  | { readonly session: BegunSession }
  | { readonly step: BegunStep }
);
