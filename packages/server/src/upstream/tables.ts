import type { TablePlan } from '../platform/backup/table-plan.ts';
import { type RowOf, text } from '../platform/database/columns.ts';
import type { JsonText } from '../platform/stored-form.ts';
import type { Entry } from './facts/entry.ts';
import type { UpstreamTotal } from './total-store.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    upstream_repos: UpstreamRepoRow;
    upstream_revisions: { repo_id: string; revision: string; commit_id: string; checked_at: number };
    upstream_commits: { repo_id: string; commit_id: string; bytes: number; used_at: number };
    upstream_answers: AnswerRow;
    upstream_entries: EntryRow;
    upstream_files: UpstreamFileRow;
    upstream_totals: { what: UpstreamTotal; amount: number };
  }
}

/** The backup plan of these tables: what they say is read again. */
export const UPSTREAM_BACKUP = {
  upstream_repos: 'left out: the restored hub asks the upstream again',
  upstream_revisions: 'left out: like upstream_repos',
  upstream_commits: 'left out: like upstream_repos',
  upstream_answers: 'left out: like upstream_repos',
  upstream_entries: 'left out: like upstream_repos',
  upstream_files: 'left out: like upstream_repos',
  upstream_totals: 'left out: like upstream_repos',
} satisfies TablePlan;

/**
 * `open`: public there; `gated`: everybody may read about it, and its files are for those who asked; `granted`: gated, and the
 * token of this hub may read the files; `closed`: private or disabled there; `gone`: not found at the last check.
 */
export type UpstreamState = 'open' | 'gated' | 'granted' | 'closed' | 'gone';

export type UpstreamType = 'model' | 'dataset' | 'space';

export interface UpstreamRepoRow {
  id: string;
  type: UpstreamType;
  /** The name with its namespace, in lower case. */
  name_key: string;
  /** The name as the upstream writes it. */
  name: string;
  /** The id of the repository there; null if the upstream does not tell. */
  remote_id: string | null;
  state: UpstreamState;
  checked_at: number;
  used_at: number;
}

export interface AnswerRow {
  repo_id: string;
  /** Empty for an answer about the whole repository. */
  commit_id: string;
  /** The hash of a long question. */
  question: string;
  /** JSON. */
  answer: string;
  /** The cursor of the next page. */
  next: string | null;
  fetched_at: number;
}

export const ENTRY = {
  repo_id: text(),
  commit_id: text(),
  path: text(),
  /** Null: the commit has nothing at the path. */
  entry: text<JsonText<Entry> | null>(),
};

export type EntryRow = RowOf<typeof ENTRY>;

export interface UpstreamFileRow {
  /** The SHA-256 of a large file, and the id in git of another. */
  content_id: string;
  sha256: string;
  size: number;
  /** Until when the blob is kept at the moment. */
  kept_until: number;
  used_at: number;
}
