import * as z from 'zod';
import { ObjectId, RepoType } from '../primitives.ts';

/** The domains of events that a webhook may subscribe to. */
export const Domain = z.enum(['repo', 'discussion']);
export type Domain = z.infer<typeof Domain>;

/**
 * Every scope and action that this hub sends (W§3.2). Receivers treat a narrower unknown scope as the broader one.
 * `repo` with `update` is not among them: renaming and transferring a repository is `move`, changing its settings
 * `repo.config`, and nothing else about a repository changes.
 */
export const EVENTS = [
  { scope: 'repo', action: 'create' },
  { scope: 'repo', action: 'delete' },
  { scope: 'repo', action: 'move' },
  { scope: 'repo.content', action: 'update' },
  { scope: 'repo.config', action: 'update' },
  { scope: 'discussion', action: 'create' },
  { scope: 'discussion', action: 'update' },
  { scope: 'discussion', action: 'delete' },
  { scope: 'discussion.comment', action: 'create' },
  { scope: 'discussion.comment', action: 'update' },
] as const;

export const Scope = z.enum(['repo', 'repo.content', 'repo.config', 'discussion', 'discussion.comment']);
export type Scope = z.infer<typeof Scope>;
export const Action = z.enum(['create', 'delete', 'update', 'move']);
export type Action = z.infer<typeof Action>;

const Url = z.object({ web: z.url(), api: z.url() });
const Reference = z.object({ id: ObjectId });

/** The domain a scope belongs to. */
export const domainOf = (scope: string): Domain => (scope.split('.')[0] === 'discussion' ? 'discussion' : 'repo');

export const DiscussionStatus = z.enum(['draft', 'open', 'closed', 'merged']);
export type DiscussionStatus = z.infer<typeof DiscussionStatus>;

/**
 * The body of a delivery, version 3 (W§3.1).
 * `headSha` comes with scopes that begin with `repo`, `updatedRefs` with `repo.content`, `updatedConfig` with
 * `repo.config`, `movedTo` with `repo`/`move`, `comment.content` unless the comment is hidden.
 */
export const WebhookPayload = z
  .object({
    event: z.object({ action: Action, scope: Scope }),
    repo: z.object({
      type: RepoType,
      name: z.string(),
      id: ObjectId,
      private: z.boolean(),
      url: Url,
      owner: Reference,
      headSha: z.string().optional(),
      subdomain: z.string().optional().meta({ description: 'Spaces only.' }),
    }),
    discussion: z
      .object({
        id: ObjectId,
        num: z.int(),
        title: z.string(),
        url: Url,
        status: DiscussionStatus,
        author: Reference,
        isPullRequest: z.boolean(),
        changes: z.object({ base: z.string(), mergeCommitId: z.string().optional() }).optional(),
        pinned: z.boolean().optional(),
      })
      .optional(),
    comment: z
      .object({
        id: ObjectId,
        author: Reference,
        hidden: z.boolean(),
        content: z.string().optional(),
        url: z.object({ web: z.url() }),
      })
      .optional(),
    webhook: z.object({ id: ObjectId, version: z.literal(3) }),
    movedTo: z.object({ name: z.string(), owner: Reference }).optional(),
    updatedRefs: z
      .array(z.object({ ref: z.string(), oldSha: z.string().nullable(), newSha: z.string().nullable() }))
      .optional(),
    updatedConfig: z.object({ private: z.boolean().optional() }).optional(),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.infer<typeof WebhookPayload>;

/** A payload as stored: without the webhook that it will be sent to. */
export type EventPayload = Omit<WebhookPayload, 'webhook'>;
