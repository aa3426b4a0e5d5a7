import * as z from 'zod';
import { type Accounts, hasAddress } from '../../accounts/index.ts';
import { type AuditLog, recordForSite, userAt } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, serialize } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, forbidden } from '../../platform/http/errors.ts';
import { defineTask, type StepOf, type Tasks } from '../../platform/queue/tasks.ts';
import type { OpenSession } from '../opening.ts';
import { putPassword } from '../passwords/password-store.ts';
import type { Passwords } from '../passwords/service.ts';
import type { SecondStep } from '../second-factor/second-step.ts';
import type { SignedInUser } from '../signed-in-user.ts';
import type { LinkRow } from '../tables.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { countSignUpLinks } from './link-store.ts';
import type { MailedLinks } from './mailed-links.ts';
import { useSignUpLink } from './open-link.ts';
import type { ResetByMail } from './reset-by-mail.ts';

export const signUpTask = defineTask('sign-in.sign-up', z.object({ email: z.string() }));

/** The maximum number of links mailed to an address per hour. */
const MAX_PER_HOUR = 3;
const HOUR_MS = 60 * 60 * 1000;

/** The id of the lock that serializes the creation of accounts by sign-up. */
const SIGN_UPS = 0x73677570;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly audit: AuditLog;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly mailedLinks: MailedLinks;
  readonly resetByMail: ResetByMail;
  readonly passwords: Passwords;
  readonly secondStep: SecondStep;
  readonly open: OpenSession;
  /** The mail domains, in lower case, whose people may sign up; none: nobody may. */
  readonly domains: readonly string[];
}

export type SignUp = ReturnType<typeof createSignUp>;

/**
 * Accounts that people create for themselves. A link goes to the address, and the account exists once the link is used. The
 * request only stores the address, and a task looks it up later, so that neither the response nor its time reveals whether
 * an account has the address.
 */
export function createSignUp(given: Dependencies) {
  const { database, clock, tasks, accounts, throttle, mailedLinks, resetByMail, passwords, domains } = given;
  const { audit, secondStep, open } = given;

  function requireDomain(email: string): void {
    if (domains.length === 0)
      throw forbidden('Nobody signs up at this hub; ask a site administrator for an invitation');
    if (!domains.includes(email.slice(email.lastIndexOf('@') + 1)))
      throw forbidden(`Signing up needs an address at ${domains.join(' or ')}`);
  }

  const step: StepOf<typeof signUpTask> = async (tx, { data: { email } }) => {
    if (await hasAddress(tx, email)) await resetByMail.mailTo(tx, email);
    else if (mailedLinks.isOn && (await countSignUpLinks(tx, email, clock.now() - HOUR_MS)) < MAX_PER_HOUR)
      await mailedLinks.send(tx, { purpose: 'sign-up', email });
    return 'done';
  };

  return {
    domains,
    step,

    /** Throws 403 if nobody signs up with such an address, 429 if a network address asks too often. */
    async request(visitor: Visitor, typed: string): Promise<void> {
      const email = typed.toLowerCase();
      requireDomain(email);
      await database.transaction(async (tx) => {
        await throttle.countRequest(tx, visitor.address);
        await tasks.enqueue(tx, signUpTask, { email });
      });
    },

    /**
     * Creates the account of a link and begins its session, or the second step. Throws 400 for an unacceptable name or
     * password, 409 if the name or the address is taken.
     */
    async use(
      visitor: Visitor,
      link: LinkRow,
      { password, name: typed }: { readonly password: string; readonly name?: string | undefined },
    ): Promise<SignedInUser> {
      const email = link.email ?? '';
      requireDomain(email);
      const name = typed?.trim();
      if (!name) throw badRequest('body.name: is needed: the link creates a user');
      passwords.check(password, { name, fullname: name, email });
      const hash = await passwords.hash(password);
      return database.transaction(async (tx) => {
        await serialize(tx, SIGN_UPS);
        await useSignUpLink(tx, link, clock.now());
        if (await hasAddress(tx, email)) throw conflict('Another user of this hub has this address');
        const user = await accounts.create(tx, { kind: 'user', name, email });
        await putPassword(tx, { user_id: user.id, hash, changed_at: clock.now() });
        const data = { user: { _id: user.id, user: user.name } };
        await recordForSite(audit, tx, userAt(user, visitor), { type: 'user.create', message: 'Signed up', data });
        const left = await secondStep.needed(tx, user, 'link');
        return left
          ? { user, step: left }
          : { user, session: await open(tx, visitor, { userId: user.id, userName: user.name, method: 'link' }) };
      });
    },
  };
}
