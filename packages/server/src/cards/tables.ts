import type { TablePlan } from '../platform/backup/table-plan.ts';
import type { JsonText } from '../platform/stored-form.ts';
import type { CardDetails } from './facts/facts.ts';
import type { JsonObject } from './facts/json.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    repo_cards: RepoCardRow;
    card_reads: CardReadRow;
    repo_downloads: RepoDownloadsRow;
  }
}

/** Which tables a backup keeps, a table after those that it refers to. */
export const CARDS_BACKUP = {
  repo_cards: 'kept',
  card_reads: 'kept',
  repo_downloads: 'kept',
} satisfies TablePlan;

export interface RepoCardRow {
  repo_id: string;
  /** The commit of main whose files were read. */
  sha: string;
  error: string | null;
  card: JsonText<JsonObject> | null;
  tags: JsonText<string[]>;
  details: JsonText<CardDetails>;
  library_name: string | null;
  pipeline_tag: string | null;
}

/** The downloads of a repository on a day since 1970; on day 0 those of all days. */
export interface RepoDownloadsRow {
  repo_id: string;
  day: number;
  downloads: number;
}

/** A repository whose files are to be read. */
export interface CardReadRow {
  repo_id: string;
  due_at: number;
  /** How often reading was begun. */
  attempts: number;
}
