import {
  NOTIFICATION_KEYS,
  type NotificationChange,
  type NotificationSettings,
} from '@moonbase/contract/accounts/settings';

/** The keys that decide here who is told of what: `web_*` in the inbox, the others by mail. */
export const DECIDING_KEYS = [
  'web_discussions_participating',
  'web_discussions_watched',
  'web_posts_participating',
  'discussions_participating',
  'discussions_watched',
  'posts_participating',
  'arxiv_paper_activity',
] as const;
export type DecidingKey = (typeof DECIDING_KEYS)[number];

/** What a user has given so far. */
export interface Given {
  readonly notifications: NotificationChange;
  readonly prepaidAmount?: string | undefined;
}

/** What holds: a key that was never given is on, unless it asks for what has not begun yet. */
export function effective({ product_updates_after, ...given }: NotificationChange): NotificationSettings {
  const keys = NOTIFICATION_KEYS.map((key) => [key, given[key] ?? !key.startsWith('launch_')]);
  return { ...Object.fromEntries(keys), ...(product_updates_after !== undefined && { product_updates_after }) };
}

/** The given with a change, of which absent keys say nothing. The amount goes with its key. */
export function merged(given: Given, { notifications, prepaidAmount }: Given): Given {
  const all = { ...given.notifications, ...definedOf(notifications) };
  const amount = notifications.launch_prepaid_credits === true ? prepaidAmount : given.prepaidAmount;
  return {
    notifications: all,
    ...(all.launch_prepaid_credits === true && amount !== undefined && { prepaidAmount: amount }),
  };
}

/** What is wrong with the amount of a change: it is needed where `launch_prepaid_credits` is turned on. */
export function amountFault({ notifications, prepaidAmount }: Given): string | undefined {
  if (notifications.launch_prepaid_credits !== true) return undefined;
  return prepaidAmount === undefined ? 'is required to turn launch_prepaid_credits on' : undefined;
}

const definedOf = <T extends object>(object: T): Partial<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
