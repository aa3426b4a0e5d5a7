import type { Text } from './texts.ts';

/** What is kept of a comment, in whatever thread it is. */
export interface CommentData extends Text {
  readonly updatedAt: number;
  readonly hidden: boolean;
  readonly hiddenBy?: string;
  /** Account ids, in the order of their first edit. */
  readonly editors: readonly string[];
  readonly edits: number;
}

export const newCommentData = (text: Text, now: number): CommentData => ({
  ...text,
  updatedAt: now,
  hidden: false,
  editors: [],
  edits: 0,
});
