import { findAccountById } from '../accounts/index.ts';
import { afterCommit } from '../platform/database/transaction.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import type { WarningLogger } from '../platform/logger.ts';
import type { Signals } from '../platform/queue/signals.ts';
import type { SignInEvent } from './events.ts';

interface Dependencies {
  readonly logger: WarningLogger;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
}

/**
 * Creates the reaction to what an operator has changed beside the hub, whose processes hear nothing of it otherwise: open
 * streams of the user look their caller up again, and the log names the user.
 */
export const createFollowOperator =
  ({ logger, callers }: Dependencies): Reaction<SignInEvent> =>
  async (tx, { data }) => {
    if (!('by' in data) || data.by !== 'operator') return undefined;
    const { action, userId } = data;
    const user = (await findAccountById(tx, userId))?.name;
    afterCommit(tx, () => {
      callers.send([userId]);
      if (action === 'token-made')
        logger.warn({ user, userId, token: data.last4 }, 'an operator made an access token for a user');
      else logger.warn({ user, userId }, 'an operator gave a user a new password');
    });
    return undefined;
  };
