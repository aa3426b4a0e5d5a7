import {
  NOTIFICATION_KEYS,
  type NotificationChange,
  type NotificationSettings,
} from '@moonbase/contract/accounts/settings';
import { keysOf } from '../platform/typed-objects.ts';

/** The notification settings that take effect in this hub: `web_*` for the inbox, the others for mail. */
export const DECIDING_KEYS = [
  'web_discussions_participating',
  'web_discussions_watched',
  'web_posts_participating',
  'discussions_participating',
  'discussions_watched',
  'posts_participating',
  'arxiv_paper_activity',
  'gated_user_access_request',
] as const;
export type DecidingKey = (typeof DECIDING_KEYS)[number];

/** The settings that a user has made so far. */
export interface StoredSettings {
  readonly notifications: NotificationChange;
  readonly prepaidAmount?: string | undefined;
}

/** Returns the effective settings: a key that was never set is on, except announcements of future launches. */
export function effectiveSettings({ product_updates_after, ...given }: NotificationChange): NotificationSettings {
  const keys = NOTIFICATION_KEYS.map((key) => [key, given[key] ?? !key.startsWith('launch_')]);
  return { ...Object.fromEntries(keys), ...(product_updates_after !== undefined && { product_updates_after }) };
}

/** Merges a change into the settings made so far; absent keys stay. The amount belongs to its key. */
export function mergeSettings(given: StoredSettings, { notifications, prepaidAmount }: StoredSettings): StoredSettings {
  const all = { ...given.notifications, ...definedOf(notifications) };
  const amount = notifications.launch_prepaid_credits === true ? prepaidAmount : given.prepaidAmount;
  return {
    notifications: all,
    ...(all.launch_prepaid_credits === true && amount !== undefined && { prepaidAmount: amount }),
  };
}

/** Returns what is wrong with the amount in a change: turning `launch_prepaid_credits` on requires one. */
export function amountFault({ notifications, prepaidAmount }: StoredSettings): string | undefined {
  if (notifications.launch_prepaid_credits !== true) return undefined;
  return prepaidAmount === undefined ? 'is required to turn launch_prepaid_credits on' : undefined;
}

function definedOf<T extends object>(object: T): Partial<T> {
  const defined: Partial<T> = {};
  for (const key of keysOf(object)) if (object[key] !== undefined) defined[key] = object[key];
  return defined;
}
