declare module '../platform/database/tables.ts' {
  interface Tables {
    invitations: InvitationRow;
    organization_tokens: OrganizationTokenRow;
  }
}

export interface OrganizationTokenRow {
  org_id: string;
  token_id: string;
  status: 'pending' | 'approved' | 'denied' | 'revoked';
  decided_by: string | null;
  created_at: number;
  decided_at: number | null;
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
