/** Kinds of repositories. */
export type RepoType = 'dataset' | 'model' | 'space' | 'bucket' | 'kernel';

interface Links {
  readonly web: string;
  readonly api: string;
}

/** An account or an object, by its id: 24 hexadecimal characters. */
interface Reference {
  readonly id: string;
}

/** The repository that something happened to or in. */
export interface Repo {
  readonly type: RepoType;
  /** `namespace/name`. */
  readonly name: string;
  readonly id: string;
  readonly private: boolean;
  readonly url: Links;
  readonly owner: Reference;
  /** The newest commit of `main`; with the scopes that begin with `repo`, and never of a bucket. */
  readonly headSha?: string | undefined;
  /** Spaces only. */
  readonly subdomain?: string | undefined;
}

/** A discussion or a pull request. */
export interface Discussion {
  readonly id: string;
  readonly num: number;
  readonly title: string;
  /** Append `/comment` to `api` to answer. */
  readonly url: Links;
  readonly status: 'draft' | 'open' | 'closed' | 'merged';
  readonly author: Reference;
  readonly isPullRequest: boolean;
  /** Of pull requests. `base` is a ref, as in `refs/heads/main`. */
  readonly changes?: { readonly base: string; readonly mergeCommitId?: string | undefined } | undefined;
  readonly pinned?: boolean | undefined;
}

/** A comment; one that is hidden has no content. */
export type Comment = {
  readonly id: string;
  readonly author: Reference;
  readonly url: { readonly web: string };
} & ({ readonly hidden: false; readonly content: string } | { readonly hidden: true; readonly content?: undefined });

/** A ref that changed: `oldSha` is null when it was made, `newSha` when it was deleted. */
export interface UpdatedRef {
  readonly ref: string;
  readonly oldSha: string | null;
  readonly newSha: string | null;
}

/** What is there for some events only. */
interface Details {
  readonly discussion: Discussion;
  readonly comment: Comment;
  readonly movedTo: { readonly name: string; readonly owner: Reference };
  readonly updatedRefs: readonly UpdatedRef[];
  /** Which settings changed; of most of them only that some did. */
  readonly updatedConfig: { readonly private?: boolean | undefined };
}

type Payload<Scope extends string, Action extends string, Present extends keyof Details = never> = {
  readonly event: { readonly scope: Scope; readonly action: Action };
  readonly repo: Repo;
  readonly webhook: { readonly id: string; readonly version: 3 };
} & Pick<Details, Present> & { readonly [Key in Exclude<keyof Details, Present>]?: Details[Key] | undefined };

/** The payload of each event, version 3 (W§3.1, W§3.2), under `scope.action`. */
export interface WebhookEvents {
  'repo.create': Payload<'repo', 'create'>;
  'repo.delete': Payload<'repo', 'delete'>;
  'repo.update': Payload<'repo', 'update'>;
  'repo.move': Payload<'repo', 'move', 'movedTo'>;
  'repo.content.update': Payload<'repo.content', 'update', 'updatedRefs'>;
  'repo.config.update': Payload<'repo.config', 'update', 'updatedConfig'>;
  'discussion.create': Payload<'discussion', 'create', 'discussion' | 'comment'>;
  'discussion.update': Payload<'discussion', 'update', 'discussion'>;
  'discussion.delete': Payload<'discussion', 'delete', 'discussion'>;
  'discussion.comment.create': Payload<'discussion.comment', 'create', 'discussion' | 'comment'>;
  'discussion.comment.update': Payload<'discussion.comment', 'update', 'discussion' | 'comment'>;
}

/** `scope.action`, as in `discussion.comment.create`. */
export type EventName = keyof WebhookEvents;

/** The body of a delivery: a union, told apart by `event.scope` and `event.action` (see `isEvent`). */
export type WebhookPayload = WebhookEvents[EventName];

export type Scope = WebhookPayload['event']['scope'];

/** What one may listen to: an event, all events of a scope, or everything. */
export type Topic = EventName | Scope | '*';

/** The payloads of a topic. */
export type PayloadOf<T extends Topic> = T extends '*'
  ? WebhookPayload
  : T extends EventName
    ? WebhookEvents[T]
    : Extract<WebhookPayload, { readonly event: { readonly scope: T } }>;
