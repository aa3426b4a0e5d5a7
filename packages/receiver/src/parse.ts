import { knownEvent, type SentEvent } from './events.ts';
import type { WebhookPayload } from './payload.ts';

/** A payload, and its event as it was sent. `payload.event` is the known event that it counts as, if there is one. */
export interface Parsed {
  readonly payload: WebhookPayload;
  readonly event: SentEvent;
}

type Json = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a body. Returns the payload, or a sentence that says what the body lacks. */
export function parse(body: Uint8Array): Parsed | string {
  let sent: unknown;
  try {
    sent = JSON.parse(decoder.decode(body));
  } catch {
    return 'The body is not JSON.';
  }
  if (!isObject(sent)) return 'The body is not a JSON object.';
  const { event, repo, webhook } = sent;
  if (!isObject(event) || !areTexts(event.scope, event.action)) return '`event` needs `scope` and `action`.';
  if (!isObject(repo) || !areTexts(repo.type, repo.name)) return '`repo` needs `type` and `name`.';
  if (!isObject(webhook) || webhook.version !== 3) return '`webhook.version` is not 3.';
  const asSent = { scope: String(event.scope), action: String(event.action) };
  const known = knownEvent(asSent);
  const missing = detailsOf(known.scope).find((key) => !isObject(sent[key]));
  if (missing !== undefined) return `\`${missing}\` is missing.`;
  const payload = known === asSent ? sent : { ...sent, event: { ...event, ...known } };
  // Checked above as far as handlers rely on it; the sender is authenticated.
  return { payload: payload as WebhookPayload, event: asSent };
}

function detailsOf(scope: string): string[] {
  if (scope === 'discussion.comment') return ['discussion', 'comment'];
  return scope === 'discussion' ? ['discussion'] : [];
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const areTexts = (...values: unknown[]): boolean => values.every((value) => typeof value === 'string');
