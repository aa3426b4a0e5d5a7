import * as z from 'zod';
import { ObjectId, Timestamp } from '../primitives.ts';

/** The author, which is absent, never null, if the account was deleted (W§1.5). */
export const Author = z.object({
  _id: ObjectId,
  avatarUrl: z.string(),
  fullname: z.string(),
  name: z.string(),
  isHf: z.literal(false),
  isHfAdmin: z.literal(false),
  isMod: z.literal(false),
  type: z.literal('user'),
  isPro: z.boolean(),
});

/** An event of a thread, with its author. */
export const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ id: ObjectId, createdAt: Timestamp, author: Author.optional(), type: z.literal(type), data });

/** A comment of any thread (W§1.5, W§7). */
export const CommentEvent = eventOf(
  'comment',
  z.object({
    edited: z.boolean(),
    hidden: z.boolean(),
    hiddenBy: z.string().optional(),
    latest: z.object({
      raw: z.string(),
      html: z.string(),
      updatedAt: Timestamp,
      author: Author.optional(),
    }),
    numEdits: z.number(),
    editors: z.array(z.string()),
    editorAvatarUrls: z.array(z.string()),
    reactions: z.array(z.never()),
    isReport: z.literal(false),
    parentCommentId: ObjectId.optional().meta({ description: 'For a reply: the comment replied to.' }),
  }),
).meta({ id: 'CommentEvent' });

/** The Markdown of a comment. */
export const CommentText = z.string().min(1).max(65536);

/** Why a thread takes no comment. */
export const THREAD_FULL = { 409: 'The thread is full: its comments and changes have 16 MiB together.' };

/** The body that adds a comment or a reply. */
export const NewComment = z.object({ comment: CommentText });

/** The response to adding a comment. */
export const NewMessage = z.object({ newMessage: CommentEvent });

/** The response to changing a comment. */
export const UpdatedComment = z.object({ updatedComment: CommentEvent });
