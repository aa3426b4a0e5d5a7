import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    invitations: InvitationRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const MEMBERS_BACKUP = {
  invitations: 'kept',
} satisfies TablePlan;

export interface InvitationRow {
  id: string;
  org_id: string;
  user_id: string | null;
  email: string | null;
  role: string;
  invited_by: string | null;
  created_at: number;
  nonce: string | null;
  expires_at: number | null;
}
