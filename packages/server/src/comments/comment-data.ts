import type { ParsedText } from './texts.ts';

/** The stored data of a comment in any kind of thread. */
export interface CommentData extends ParsedText {
  readonly updatedAt: number;
  readonly hidden: boolean;
  readonly hiddenBy?: string;
  /** Account ids, in the order of their first edit. */
  readonly editors: readonly string[];
  readonly edits: number;
}

export const newCommentData = (text: ParsedText, now: number): CommentData => ({
  ...text,
  updatedAt: now,
  hidden: false,
  editors: [],
  edits: 0,
});
