import type { NotificationSettingsRow } from '../platform/database/tables.ts';

/** The kinds of mail that can be turned off: keys of the notification settings. */
export const OPTIONAL_KINDS = [
  'discussions_participating',
  'discussions_watched',
  'posts_participating',
  'arxiv_paper_activity',
] as const satisfies readonly (keyof NotificationSettingsRow)[];

export type OptionalKind = (typeof OPTIONAL_KINDS)[number];

export const isOptional = (kind: string): kind is OptionalKind => (OPTIONAL_KINDS as readonly string[]).includes(kind);

/** Mails that cannot be turned off. */
export const SECURITY = 'security';

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

/** As it can stand in a header or a line: no line ends and no other control characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200);
