declare module '../platform/database/tables.ts' {
  interface Tables {
    avatars: AvatarRow;
  }
}

export interface AvatarRow {
  account_id: string;
  hash: string;
  picture: Uint8Array;
  created_at: number;
}
