import type { RepoType } from '@moonbase/contract/primitives';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { type RowOf, text } from '../platform/database/columns.ts';
import type { JsonText } from '../platform/stored-form.ts';
import type { CardDetails } from './facts/facts.ts';
import type { JsonObject } from './facts/json.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    repo_cards: RepoCardRow;
    card_reads: CardReadRow;
    repo_downloads: RepoDownloadsRow;
    repo_tags: RowOf<typeof REPO_TAG>;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const CARDS_BACKUP = {
  repo_cards: 'kept',
  card_reads: 'kept',
  repo_downloads: 'kept',
  repo_tags: 'kept',
} satisfies TablePlan;

export interface RepoCardRow {
  repo_id: string;
  /** The commit on `main` whose files were read. */
  sha: string;
  error: string | null;
  card: JsonText<JsonObject> | null;
  tags: JsonText<string[]>;
  details: JsonText<CardDetails>;
  library_name: string | null;
  pipeline_tag: string | null;
  /** The commit whose tags are in the signature of the repository; differs from `sha` after the release before stored facts. */
  signed_sha: string | null;
}

/** The downloads of a repository on a day, counted from 1970; day 0 holds the total. */
export interface RepoDownloadsRow {
  repo_id: string;
  day: number;
  downloads: number;
}

/** A tag of a repository, in lower case, by which lists are filtered. */
export const REPO_TAG = { tag: text(), type: text<RepoType>(), repo_id: text() };

/** A requested reading of a repository's files. */
export interface CardReadRow {
  repo_id: string;
  due_at: number;
  /** The number of attempts that have begun. */
  attempts: number;
}
