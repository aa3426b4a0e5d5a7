import type { ClaimStatus } from '@moonbase/contract/papers/claims';
import type { Generated } from 'kysely';
import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    papers: {
      id: string;
      arxiv_id: string;
      title: string;
      /** In lower case. */
      title_key: Generated<string>;
      summary: string;
      created_at: number;
    };
    paper_authors: PaperAuthorRow;
    paper_claims: PaperClaimRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const PAPERS_BACKUP = {
  papers: 'kept',
  paper_authors: 'kept',
  paper_claims: 'kept',
} satisfies TablePlan;

export interface PaperAuthorRow {
  id: string;
  paper_id: string;
  position: number;
  name: string;
  /** The account of the author, if known. */
  user_id: string | null;
  /** How the account became known. */
  status: 'admin_assigned' | 'claim_verified' | null;
  status_changed_at: number | null;
}

export interface PaperClaimRow {
  id: string;
  paper_id: string;
  author_id: string;
  user_id: string;
  requested_by: string | null;
  status: ClaimStatus;
  created_at: number;
  decided_at: number | null;
}
