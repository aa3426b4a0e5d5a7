/** What is kept of a comment, in whatever thread it is. */
export interface CommentData {
  readonly raw: string;
  readonly updatedAt: number;
  readonly hidden: boolean;
  readonly hiddenBy?: string;
  /** Account ids, in the order of their first edit. */
  readonly editors: readonly string[];
  readonly edits: number;
}

export const newCommentData = (raw: string, now: number): CommentData => ({
  raw,
  updatedAt: now,
  hidden: false,
  editors: [],
  edits: 0,
});
