import type { NotificationSettingsRow } from '../settings/index.ts';

/** The kinds of mail that can be turned off: keys of the notification settings. */
export const OPTIONAL_KINDS = [
  'discussions_participating',
  'discussions_watched',
  'posts_participating',
  'arxiv_paper_activity',
] as const satisfies readonly (keyof NotificationSettingsRow)[];

export type OptionalKind = (typeof OPTIONAL_KINDS)[number];

export const isOptional = (kind: string): kind is OptionalKind => (OPTIONAL_KINDS as readonly string[]).includes(kind);

/** Goes before any other reason for a mail about a discussion. */
export const TAKES_PART = 'discussions_participating' satisfies OptionalKind;

/** Mails that cannot be turned off. */
export const SECURITY = 'security';

/** An invitation to somebody who may have no account yet: its sender is the user of the mail. */
export const INVITATION = 'invitation';

/** What each kind is, in the words of its mails and of the page that turns it off. */
export const KINDS: Readonly<Record<OptionalKind, { readonly reason: string; readonly name: string }>> = {
  discussions_participating: {
    reason: 'you take part in this discussion or were mentioned in it',
    name: 'discussions that you take part in or are mentioned in',
  },
  discussions_watched: {
    reason: 'you watch where this happened',
    name: 'discussions where you watch',
  },
  posts_participating: {
    reason: 'this is yours, you take part in it or were mentioned in it',
    name: 'posts, articles and papers that are yours, that you take part in or are mentioned in',
  },
  arxiv_paper_activity: {
    reason: 'this is about a paper of yours',
    name: 'your papers and your claims',
  },
};

/** At most so much of a text, with `end` in the place of the rest; no character is cut in two. */
export const shortened = (text: string, most: number, end: string): string =>
  text.length <= most ? text : text.slice(0, most - end.length).replace(/[\ud800-\udbff]$/, '') + end;

/** As it can stand in a header or a line: no line ends and no other control characters, and not too long. */
export const oneLine = (text: string, most = 200): string =>
  shortened(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), most, '…');

/** A subject whose title gives way to what stands before and after it. */
export const subjectLine = (before: string, title: string, after: string): string =>
  `${before}${oneLine(title, 200 - before.length - after.length)}${after}`;
