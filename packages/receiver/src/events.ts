import type { EventName, PayloadOf, Topic, WebhookPayload } from './payload.ts';

/** Every event that is known here, as `scope.action` (W§3.2). */
export const EVENT_NAMES: readonly EventName[] = [
  'repo.create',
  'repo.delete',
  'repo.update',
  'repo.move',
  'repo.content.update',
  'repo.config.update',
  'discussion.create',
  'discussion.update',
  'discussion.delete',
  'discussion.comment.create',
  'discussion.comment.update',
];

/** A scope and an action as they were sent: those of tomorrow's hub, too. */
export interface SentEvent {
  readonly scope: string;
  readonly action: string;
}

const events: ReadonlySet<string> = new Set(EVENT_NAMES);
const scopes: ReadonlySet<string> = new Set(EVENT_NAMES.map((name) => name.slice(0, name.lastIndexOf('.'))));

/** Whether this can be listened to. */
export const isTopic = (text: string): boolean => text === '*' || events.has(text) || scopes.has(text);

/**
 * The known event that this one counts as: an unknown scope is an `update` of the next broader one that is known, an
 * unknown action an `update` of its scope (W§3.1). Of what has no known broader scope, the event itself.
 */
export function knownEvent(sent: SentEvent): SentEvent {
  if (events.has(`${sent.scope}.${sent.action}`)) return sent;
  for (let scope = sent.scope; scope !== ''; scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.'))))
    if (scopes.has(scope)) return { scope, action: 'update' };
  return sent;
}

/** The topics under which an event is heard. */
export const topicsOf = ({ scope, action }: SentEvent): string[] => [`${scope}.${action}`, scope, '*'];

/**
 * Whether a payload is of this event, or of any event of this scope; narrows its type.
 *
 * ```ts
 * if (isEvent(payload, 'repo.content.update')) console.log(payload.updatedRefs.length);
 * ```
 */
export const isEvent = <T extends Topic>(payload: WebhookPayload, topic: T): payload is PayloadOf<T> =>
  topicsOf(payload.event).includes(topic);
