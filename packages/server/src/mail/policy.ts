import type { NotificationSettingsRow } from '../settings/index.ts';

/** The kinds of mail that a user can turn off: keys of the notification settings. */
export const OPTIONAL_KINDS = [
  'discussions_participating',
  'discussions_watched',
  'posts_participating',
  'arxiv_paper_activity',
  'gated_user_access_request',
] as const satisfies readonly (keyof NotificationSettingsRow)[];

export type OptionalKind = (typeof OPTIONAL_KINDS)[number];

export const isOptional = (kind: string): kind is OptionalKind => OPTIONAL_KINDS.some((optional) => optional === kind);

/** The kind for people who take part in a discussion: it prevails where a user watches the discussion as well. */
export const TAKES_PART = 'discussions_participating' satisfies OptionalKind;

/** The kind of mails about access to gated repositories. */
export const ACCESS_REQUESTS = 'gated_user_access_request' satisfies OptionalKind;

/** The kind of mails to the address that the settings of a gated repository name, which nobody can turn off there. */
export const ACCESS_ADDRESS = 'access-address';

/** The kind of mails about the security of an account, which nobody can turn off. */
export const SECURITY = 'security';

/** The kind of invitations to people who may have no account yet: the user of such a mail is the inviter. */
export const INVITATION = 'invitation';

/** How the mails of each kind, and the page that turns the kind off, describe it. */
export const KINDS: Readonly<Record<OptionalKind, { readonly reason: string; readonly name: string }>> = {
  discussions_participating: {
    reason: 'you take part in this discussion or were mentioned in it',
    name: 'discussions that you take part in or are mentioned in',
  },
  discussions_watched: {
    reason: 'you watch the place where this happened',
    name: 'discussions where you watch',
  },
  posts_participating: {
    reason: 'this is yours, you take part in it or were mentioned in it',
    name: 'posts, articles and papers that are yours, that you take part in or are mentioned in',
  },
  arxiv_paper_activity: {
    reason: 'this is about one of your papers',
    name: 'your papers and your claims',
  },
  gated_user_access_request: {
    reason: 'this is about access to a gated repository',
    name: 'access to gated repositories',
  },
};

/** Returns a text cut to `max` characters, with `end` in place of the rest; no surrogate pair is split. */
export const shorten = (text: string, max: number, end: string): string =>
  text.length <= max ? text : text.slice(0, max - end.length).replace(/[\ud800-\udbff]$/, '') + end;

/** Returns a text as a mail header can hold it: without line breaks and other control characters, and not too long. */
export const oneLine = (text: string, max = 200): string =>
  shorten(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), max, '…');

/** Returns a subject; a long title is shortened so that the text before and after it fits. */
export const subjectLine = (before: string, title: string, after: string): string =>
  `${before}${oneLine(title, 200 - before.length - after.length)}${after}`;
