import type { LinkPurpose } from '@moonbase/contract/sign-in/links';
import type { SESSION_METHODS } from '@moonbase/contract/sign-in/sessions';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    passwords: PasswordRow;
    sessions: SessionRow;
    one_time_links: LinkRow;
    known_browsers: BrowserRow;
    sign_in_failures: FailureRow;
    second_factors: SecondFactorRow;
    recovery_codes: RecoveryCodeRow;
    sign_in_events: SignInEventRow;
  }
}

/** Which tables a backup keeps: people sign in to a restored hub again, with their passwords. */
export const SIGN_IN_BACKUP = {
  passwords: 'kept',
  sessions: 'left out: browsers are signed in to the hub that was backed up',
  one_time_links: 'left out: they last for hours, and what was used since must not work again',
  known_browsers: 'kept',
  sign_in_failures: 'left out: who failed in the last day',
  second_factors: 'kept',
  recovery_codes: 'kept',
  sign_in_events: 'kept',
} satisfies TablePlan;

export const SIGN_IN_SEALED: SealedColumns = { table: 'second_factors', columns: ['sealed'] };

export interface PasswordRow {
  user_id: string;
  /** In the PHC form of argon2id. */
  hash: string;
  changed_at: number;
}

export type SessionMethod = (typeof SESSION_METHODS)[number];

export interface SessionRow {
  id: string;
  /** SHA-256 of what the cookie holds. */
  hash: string;
  user_id: string;
  method: SessionMethod;
  /** The access token that the session stands for; null: the session stands for the user. */
  token_id: string | null;
  created_at: number;
  seen_at: number;
  /** When the person last proved who they are. */
  strong_at: number;
  expires_at: number;
  address: string;
  user_agent: string | null;
  /** The OpenID provider that began the session, and whose and which session it is there; null: another way. */
  provider: string | null;
  provider_subject: string | null;
  provider_session: string | null;
}

export interface LinkRow {
  /** SHA-256 of the code. */
  hash: string;
  purpose: LinkPurpose;
  user_id: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  /** What the code of a mailed link is made from; null: the code is random. */
  nonce: string | null;
  /** The address that a link confirms. */
  email: string | null;
}

export interface BrowserRow {
  user_id: string;
  /** SHA-256 of what a browser says of itself and of where it is. */
  browser: string;
  seen_at: number;
}

export interface FailureRow {
  /** SHA-256 of what the failed attempts have in common. */
  subject: string;
  failures: number;
  first_at: number;
  last_at: number;
}

export interface SecondFactorRow {
  id: string;
  user_id: string;
  kind: 'totp';
  /** The secret in base64, sealed. */
  sealed: string;
  /** The newest time step whose code was taken. */
  last_step: number;
  created_at: number;
  /** Null until the first code was right. */
  confirmed_at: number | null;
}

export interface SignInEventRow {
  id: string;
  at: number;
  /** Null where the attempt named nobody whom the hub knows. */
  user_id: string | null;
  outcome: 'ok' | 'refused';
  method: SessionMethod;
  /** The OpenID provider: `hub`, or the id of an organization. */
  provider: string | null;
  reason: string | null;
  address: string;
  user_agent: string | null;
}

export interface RecoveryCodeRow {
  /** SHA-256 of the code and its user. */
  hash: string;
  user_id: string;
  used_at: number | null;
}
