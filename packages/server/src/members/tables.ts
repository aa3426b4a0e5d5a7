declare module '../platform/database/tables.ts' {
  interface Tables {
    invitations: InvitationRow;
  }
}

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
