import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { storedUserAgent } from '../platform/http/user-agent.ts';
import { recordBrowser } from './browsers/browsers.ts';
import { signInTopic } from './events.ts';
import type { BegunSession, Sessions } from './sessions/service.ts';
import type { SignInTrail } from './trail/service.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly sessions: Sessions;
  readonly trail: SignInTrail;
}

export type OpenSession = ReturnType<typeof createOpening>;

/**
 * Creates the function that begins the session of a fully authenticated user, and records a sign-in from a new browser.
 */
export const createOpening =
  ({ clock, events, sessions, trail }: Dependencies) =>
  async (tx: Executor, visitor: Visitor, begun: Parameters<Sessions['begin']>[2]): Promise<BegunSession> => {
    const { userId, userName, method } = begun;
    const isNew = await recordBrowser(tx, visitor, userId, clock.now());
    // The user received the link personally, so a mail about the browser would add nothing.
    if (isNew && method !== 'link') {
      const { address, userAgent } = visitor;
      const browser = { address, userAgent: storedUserAgent(userAgent) };
      await events.record(tx, signInTopic, { action: 'new-browser', userId, ...browser });
    }
    await trail.record(tx, visitor, { userId, userName, method, provider: begun.provider?.key });
    return sessions.begin(tx, visitor, begun);
  };
