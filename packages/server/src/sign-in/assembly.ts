import type { Account, Accounts, CutOffRules } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Ids } from '../platform/ids.ts';
import type { InformingLogger } from '../platform/logger.ts';
import { createAuthenticationLog } from '../platform/logging/authentication-log.ts';
import type { Signals } from '../platform/queue/signals.ts';
import type { Tasks } from '../platform/queue/tasks.ts';
import type { SecretBox, Signer } from '../platform/secrets.ts';
import { createAddresses } from './addresses/service.ts';
import { createLinkMaking } from './links/link-making.ts';
import { createMailedLinks } from './links/mailed-links.ts';
import { createResetByMail } from './links/reset-by-mail.ts';
import { createLinks } from './links/service.ts';
import { createSignUp } from './links/sign-up.ts';
import { createOpening } from './opening.ts';
import { createPasswordHashing, type PasswordHashing } from './passwords/hashing.ts';
import { createOwnPassword } from './passwords/own-password.ts';
import { createPasswords } from './passwords/service.ts';
import { createProof } from './proof.ts';
import { createSecondFactorAdministration } from './second-factor/administration.ts';
import { createFactorCheck } from './second-factor/check.ts';
import { createOwnSecondFactor } from './second-factor/own-factor.ts';
import { createSecondStep } from './second-factor/second-step.ts';
import { createFactorSetUp } from './second-factor/set-up.ts';
import { createSignIn } from './service.ts';
import { createSessions } from './sessions/service.ts';
import { createThrottle } from './throttle/throttle.ts';
import { createSignInTrail } from './trail/service.ts';
import { createWays, type SignInWay } from './ways.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly tasks: Tasks;
  readonly signer: Signer;
  readonly secretBox: SecretBox;
  readonly logger: InformingLogger;
  readonly accounts: Accounts;
  readonly callers: Signals;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
  readonly settings: {
    readonly passwordMin: number;
    readonly signInWays: readonly SignInWay[];
    readonly signUp: SignUpSetting;
    /** The users who must have a second factor. */
    readonly secondFactor: 'optional' | 'admins' | 'all';
    readonly sessionIdleDays: number;
    readonly sessionMaxDays: number;
    readonly publicUrl: string | undefined;
    /** Undefined if mail is off. */
    readonly mail: object | undefined;
  };
  readonly hashing?: PasswordHashing | undefined;
}

/** Who creates an account for themselves: nobody, or people with an address at one of some mail domains. */
type SignUpSetting = 'invitation' | 'closed' | readonly string[];

const domainsOf = (signUp: SignUpSetting): readonly string[] => (typeof signUp === 'string' ? [] : signUp);

const DAY_MS = 24 * 60 * 60 * 1000;

export type SignInParts = ReturnType<typeof createSignInParts>;

/** Assembles passwords, sessions, links and addresses. */
export function createSignInParts({ settings, hashing = createPasswordHashing(), ...rest }: Dependencies) {
  const limits = { idleMs: settings.sessionIdleDays * DAY_MS, maxMs: settings.sessionMaxDays * DAY_MS };
  const log = createAuthenticationLog(rest.logger);
  const passwords = createPasswords({ min: settings.passwordMin, hashing });
  const sessions = createSessions({ ...rest, limits });
  const throttle = createThrottle({ ...rest, log });
  const proof = createProof({ ...rest, passwords, throttle, log });
  const making = createLinkMaking(rest);
  const isOn = settings.mail !== undefined && settings.publicUrl !== undefined;
  const mailedLinks = createMailedLinks({ ...rest, isOn, making });
  const trail = createSignInTrail({ ...rest, log });
  const open = createOpening({ ...rest, sessions, trail });
  const ways = createWays(settings.signInWays);
  const isFactorRequired = ({ site_admin: siteAdmin }: Pick<Account, 'site_admin'>): boolean =>
    settings.secondFactor === 'all' || (settings.secondFactor === 'admins' && siteAdmin === 1);
  const factor = { isFactorRequired, setUp: createFactorSetUp(rest) };
  const check = createFactorCheck({ ...rest, throttle, trail });
  const secondStep = createSecondStep({ ...rest, ...factor, sessions, check, open });
  const common = {
    ...rest,
    ...factor,
    log,
    ways,
    trail,
    passwords,
    sessions,
    throttle,
    proof,
    making,
    mailedLinks,
    open,
    secondStep,
  };
  const resetByMail = createResetByMail(common);
  const signUp = createSignUp({ ...common, resetByMail, domains: domainsOf(settings.signUp) });
  return {
    ...{ limits, ways, trail, passwords, sessions, mailedLinks, proof },
    signUp,
    links: createLinks({ ...common, signUp }),
    addresses: createAddresses(common),
    resetByMail,
    ownPassword: createOwnPassword(common),
    signIn: createSignIn(common),
    secondStep,
    ownSecondFactor: createOwnSecondFactor(common),
    secondFactorAdministration: createSecondFactorAdministration(common),
    close: () => hashing.close(),
  };
}
