import type { CommentEvent } from './comment.tsx';

/** Adds a comment that the hub has just stored to what was read before; what was read may have it already. */
export const withNew = <T extends { readonly id: string }>(events: readonly T[], event: T): T[] => [
  ...events.filter(({ id }) => id !== event.id),
  event,
];

/** Orders comments as a conversation: each is followed by its replies, and their replies. */
export function conversation<T extends CommentEvent>(comments: readonly T[]): T[] {
  const known = new Set(comments.map(({ id }) => id));
  const replies = new Map<string, T[]>();
  for (const comment of comments) {
    const { parentCommentId: parent = '' } = comment.data;
    const under = known.has(parent) ? parent : '';
    replies.set(under, [...(replies.get(under) ?? []), comment]);
  }
  const after = (id: string): T[] => (replies.get(id) ?? []).flatMap((each) => [each, ...after(each.id)]);
  return after('');
}
