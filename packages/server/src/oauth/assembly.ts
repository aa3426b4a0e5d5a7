import type { Accounts, CutOffRules, TokenRow } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { createAddressGuard } from '../platform/outbound/address-guard.ts';
import { createGuardedFetch } from '../platform/outbound/guarded-fetch.ts';
import type { Signals } from '../platform/queue/signals.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createAttemptLimit } from '../sign-in/index.ts';
import { createApplications } from './apps/service.ts';
import { createExchange } from './authorization/exchange.ts';
import { createAuthorization } from './authorization/service.ts';
import { createDeviceApproval } from './device/approval.ts';
import { createDeviceLogins } from './device/begin.ts';
import { createPolling } from './device/poll.ts';
import { createGrants } from './grants/service.ts';
import { createIdTokens } from './openid/id-tokens.ts';
import { createKeys } from './openid/keys.ts';
import { createUserInfo } from './openid/user-info.ts';
import { createPublisherAuthentication, isPublisherToken } from './publishers/authentication.ts';
import { createPublisherExchange } from './publishers/exchange.ts';
import { createIssuerKeys } from './publishers/issuer-keys.ts';
import { createPublishers } from './publishers/service.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { createOauthAuthentication } from './tokens/authentication.ts';
import { createTokenIssuing } from './tokens/issuing.ts';
import { createRefresh } from './tokens/refresh.ts';
import { createRevocation } from './tokens/revocation.ts';

interface Dependencies {
  readonly logger: { info(details: object, message: string): void };
  /** The addresses that the hub may reach when users name them. */
  readonly settings: { readonly outboundAllow: readonly string[]; readonly developmentMode: boolean };
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly secretBox: SecretBox;
  readonly callers: Signals;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
  readonly onTokenCreated: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
}

const MINUTE_MS = 60_000;
/** The limits on unknown user codes that a session or an address may try. */
const GUESS_LIMITS = { what: 'user code', max: 10, windowMs: 15 * MINUTE_MS } as const;

export type OauthParts = ReturnType<typeof createOauthParts>;

/** Assembles applications, grants, and the endpoints of the protocols. */
export function createOauthParts(given: Dependencies) {
  const { database, clock, events } = given;
  const grants = createGrants(given);
  const issue = createTokenIssuing({ clock });
  const keys = createKeys(given);
  const idTokens = createIdTokens({ database, clock, keys });
  const attempts = createAttemptLimit({ database, clock, ...GUESS_LIMITS });
  const guard = createAddressGuard({
    allow: given.settings.outboundAllow,
    allowLoopback: given.settings.developmentMode,
  });
  const outward = createGuardedFetch({ guard });
  const fetch: typeof outward.fetch = (url, request) => outward.fetch(url, request);
  const mayReachThisMachine = guard.admits('127.0.0.1');
  const ofPublisher = createPublisherAuthentication(given);
  const ofApplication = createOauthAuthentication(given);
  return {
    /** Returns the principal of a token of an application or a trusted publisher; undefined for other tokens. */
    authenticate: (text: string) => (isPublisherToken(text) ? ofPublisher : ofApplication)(text),
    publishers: createPublishers({ ...given, mayReachThisMachine }),
    /** Closes the connections to issuers. */
    close: () => outward[Symbol.asyncDispose](),
    applications: createApplications(given),
    grants,
    keys,
    beginDeviceLogin: createDeviceLogins({ database, clock }),
    deviceApproval: createDeviceApproval({ database, clock, events, grants, attempts }),
    authorization: createAuthorization({ database, clock, grants }),
    tokens: createTokenEndpoint({
      database,
      poll: createPolling({ database, clock, issue }),
      refresh: createRefresh({ database, clock, events, grants, issue }),
      exchange: createExchange({ database, clock, grants, issue, idTokens }),
      exchangeForPublisher: createPublisherExchange({
        ...{ database, clock, keys: createIssuerKeys({ clock, fetch, mayReachThisMachine }) },
        onRefused: (details) => given.logger.info(details, 'the token of a trusted publisher was refused'),
      }),
    }),
    revoke: createRevocation({ database, grants }),
    userInfo: createUserInfo({ database }),
  };
}
