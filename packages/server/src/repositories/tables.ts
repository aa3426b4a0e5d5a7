import type { RepoType } from '@moonbase/contract/primitives';
import type { AccessStatus } from '@moonbase/contract/repositories/access-requests';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';
import type { JsonText } from '../platform/stored-form.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    repositories: RepositoryRow;
    refs: RefRow;
    root_commits: { repo_id: string; sha: string; body: string };
    moved_repositories: { type: RepoType; owner_key: string; name_key: string; repo_id: string };
    deleted_repositories: { id: string; deleted_at: number };
    access_requests: AccessRequestRow;
    /** The names of accounts and repositories, which triggers keep; on SQLite each also has a `number`. */
    searched_names: { id: string; name: string };
    name_fills: { reached: string };
    signature_fills: { reached: string };
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const REPOSITORIES_BACKUP = {
  repositories: 'kept',
  refs: 'kept',
  root_commits: 'kept',
  moved_repositories: 'kept',
  deleted_repositories: 'kept',
  access_requests: 'kept',
  searched_names: 'left out: triggers make it from the names of accounts and repositories',
  name_fills: 'left out: says how far a database of an earlier release is indexed',
  signature_fills: 'left out: says how far signatures of an earlier release are made',
} satisfies TablePlan;

export const REF = {
  repo_id: text(),
  ref: text(),
  /** The commit that the ref points to. */
  sha: text(),
  /** The id of the tag object if the ref is an annotated tag. */
  tag_id: text<string | null>(),
};

export type RefRow = RowOf<typeof REF>;

export const ACCESS_REQUEST = {
  /** The ids are in the order of time. */
  id: text(),
  repo_id: text(),
  user_id: text(),
  status: text<AccessStatus>(),
  /** 1 if the user was granted access without having asked. */
  granted: integer(),
  /** JSON: what the user answered to the form of the card; null without a form. */
  fields: text<JsonText<Readonly<Record<string, string | boolean>>> | null>(),
  requested_at: bigint(),
  /** When somebody who may write to the repository last decided; null before that. */
  reviewed_at: bigint<number | null>(),
  reviewed_by: text<string | null>(),
  rejection_reason: text<string | null>(),
};

export type AccessRequestRow = RowOf<typeof ACCESS_REQUEST>;

export interface RepositoryRow {
  id: string;
  type: RepoType;
  owner_id: string;
  name: string;
  name_key: string;
  private: number;
  created_by: string | null;
  created_at: number;
  head_sha: string | null;
  sdk: string | null;
  gated: 'auto' | 'manual' | null;
  /** 1 if members of the owner who may only read need a granted request as well. */
  gate_for_members: number;
  /** Where mails about requests go; null: to the owner, or to admins of the organization. */
  gate_email: string | null;
  /** Whether each request is mailed at once, or those of a day together. */
  gate_mails: 'real-time' | 'bulk';
  discussions_disabled: number;
  discussion_count: number;
  last_modified: number;
  resource_group_id: string | null;
  resource_group_added_by: string | null;
  /** 1 if branches and tags follow a remote, so that nobody changes them here. */
  mirrored: number;
  /** Copies of counts, by which lists are sorted. */
  downloads: number;
  likes: number;
  /** In thousandths. */
  trending_score: number;
  /** What `tagSignature` makes of the tags; null until that is made for a row of an earlier release. */
  tag_signature: number | null;
}
