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

/** The backup plan of these tables: people sign in to a restored hub with their passwords. */
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
  /** The hash in PHC format, made with argon2id. */
  hash: string;
  changed_at: number;
}

export type SessionMethod = (typeof SESSION_METHODS)[number];

export interface SessionRow {
  id: string;
  /** SHA-256 of the secret in the cookie. */
  hash: string;
  user_id: string;
  method: SessionMethod;
  /** The access token that the session acts with; null: the session acts for the user. */
  token_id: string | null;
  created_at: number;
  seen_at: number;
  /** When the person last proved their identity. */
  strong_at: number;
  expires_at: number;
  address: string;
  user_agent: string | null;
  /** The OpenID provider that began the session; null: none. The next columns identify its user and session there. */
  provider: string | null;
  provider_subject: string | null;
  provider_session: string | null;
}

export interface LinkRow {
  /** SHA-256 of the code. */
  hash: string;
  purpose: LinkPurpose;
  /** Null: the link creates the account of its address. */
  user_id: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  /** The nonce from which the code of a mailed link is derived; null: the code is random. */
  nonce: string | null;
  /** The address that the link confirms. */
  email: string | null;
}

export interface BrowserRow {
  user_id: string;
  /** SHA-256 of the user agent and the address. */
  browser: string;
  seen_at: number;
}

export interface FailureRow {
  /** SHA-256 of what the counted failures have in common, for example an address. */
  subject: string;
  failures: number;
  first_at: number;
  last_at: number;
}

export interface SecondFactorRow {
  id: string;
  user_id: string;
  kind: 'totp';
  /** The sealed secret in base64. */
  sealed: string;
  /** The time step of the newest used code. */
  last_step: number;
  created_at: number;
  /** Null until the first right code. */
  confirmed_at: number | null;
}

export interface SignInEventRow {
  id: string;
  at: number;
  /** Null if the attempt named no user of the hub. */
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
  /** SHA-256 of the user's id and the code. */
  hash: string;
  user_id: string;
  used_at: number | null;
}
