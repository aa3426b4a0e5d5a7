import type { Account } from '../accounts/index.ts';
import type { BegunStep } from './second-factor/second-step.ts';
import type { BegunSession } from './sessions/service.ts';

/** A user who has proved who they are: with a session, or with the step that is left. */
export type SignedInUser = { readonly user: Account } & (
  | { readonly session: BegunSession }
  | { readonly step: BegunStep }
);
