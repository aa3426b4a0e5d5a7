import * as z from 'zod';
import { findUserToSignIn } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { defineTask, type StepOf, type Tasks } from '../../platform/queue/tasks.ts';
import { findPassword } from '../passwords/password-store.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Ways } from '../ways.ts';
import { countMailedLinks } from './link-store.ts';
import type { MailedLinks } from './mailed-links.ts';

export const resetTask = defineTask('sign-in.reset', z.object({ name: z.string() }));

/** The maximum number of links mailed to a user per hour. */
const MAX_PER_HOUR = 3;
const HOUR_MS = 60 * 60 * 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly throttle: Throttle;
  readonly mailedLinks: MailedLinks;
  readonly ways: Ways;
}

export type ResetByMail = ReturnType<typeof createResetByMail>;

/**
 * Mails links to people who forgot their password. The request only stores the typed name, and a task looks up the user
 * later, so that neither the response nor its time reveals whether the user exists.
 */
export function createResetByMail({ database, clock, tasks, throttle, mailedLinks, ways }: Dependencies) {
  /** Mails a link to the user with a name or an address, in lower case, if the user has a password and an address. */
  async function mailTo(tx: Executor, name: string): Promise<void> {
    const user = await findUserToSignIn(tx, name);
    if (!mailedLinks.isOn || !user || user.email === null || !(await findPassword(tx, user.id))) return;
    const userId = user.id;
    if ((await countMailedLinks(tx, userId, 'reset', clock.now() - HOUR_MS)) >= MAX_PER_HOUR) return;
    await mailedLinks.send(tx, { userId, purpose: 'reset' });
  }

  const step: StepOf<typeof resetTask> = async (tx, { data: { name } }) => {
    await mailTo(tx, name);
    return 'done';
  };

  return {
    mailTo,
    step,

    /**
     * Throws 403 if nobody signs in with a password, 409 if the hub mails no links, 429 if an address asks too often.
     */
    async request(visitor: Visitor, typed: string): Promise<void> {
      ways.require('password');
      mailedLinks.require();
      const name = typed.trim().toLowerCase();
      await database.transaction(async (tx) => {
        await throttle.countRequest(tx, visitor.address);
        await tasks.enqueue(tx, resetTask, { name });
      });
    },
  };
}
