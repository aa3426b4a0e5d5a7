import type { testWebhook } from '@moonbase/client/webhooks';

type SampleEvent = Required<Pick<Parameters<typeof testWebhook>[0], 'scope' | 'action'>>;

/** The events that the hub sends. */
export const EVENTS = (
  [
    ['repo', 'create'],
    ['repo', 'move'],
    ['repo', 'delete'],
    ['repo.content', 'update'],
    ['repo.config', 'update'],
    ['discussion', 'create'],
    ['discussion', 'update'],
    ['discussion', 'delete'],
    ['discussion.comment', 'create'],
    ['discussion.comment', 'update'],
  ] as const
).map(([scope, action]) => ({ scope, action }) satisfies SampleEvent);

export const SCOPES = [...new Set(EVENTS.map(({ scope }) => scope))];
