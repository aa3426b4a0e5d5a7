import * as client from 'openid-client';
import type { Account } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { badRequest, forbidden, HubError, notFound } from '../../platform/http/errors.ts';
import { sessionIn } from '../../platform/http/session-cookie.ts';
import { parseUrl } from '../../platform/outbound/target-url.ts';
import { type BegunSession, RECENT_MS, type SignInParts } from '../../sign-in/index.ts';
import { type Person, personIn } from '../people/claims.ts';
import type { MatchedAccount, Matching } from '../people/matching.ts';
import { isUnavailable, reasonOf, refused, unavailable } from '../providers/failures.ts';
import type { Openid } from '../providers/openid.ts';
import { callbackPath, type Provider } from '../providers/provider.ts';
import type { createTransactions, Transaction } from './transaction.ts';

/** The request of a sign-in page. */
export interface SignInRequest {
  /** The organization whose provider is used; undefined: the provider of the hub. */
  readonly organization?: string | undefined;
  readonly returnTo?: string | undefined;
  /** Whether the provider must ask the person to sign in even if it knows the person. */
  readonly again?: boolean | undefined;
}

interface BeginRequest extends SignInRequest {
  /** The user whose account the identity is to be linked to. */
  readonly linkTo?: string;
}

export interface Begun {
  readonly url: string;
  readonly cookies: readonly string[];
}

export interface FinishedSignIn {
  readonly user: Account;
  /** Undefined if the sign-in linked an identity; the current session then continues. */
  readonly session: BegunSession | undefined;
  readonly returnTo: string;
}

/** Applies further consequences of a sign-in, in its transaction. */
export type OnSignedIn = (
  tx: Executor,
  visitor: Visitor,
  provider: Provider,
  given: MatchedAccount & { readonly person: Person; readonly sessionId: string },
) => Promise<void>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly openid: Openid;
  readonly matching: Matching;
  readonly transactions: ReturnType<typeof createTransactions>;
  readonly signIn: Pick<SignInParts, 'signIn' | 'sessions' | 'trail'>;
  /** Returns the provider of an organization, or for undefined that of the hub. */
  readonly findProvider: (organization: string | undefined) => Promise<Provider | undefined>;
  readonly providerOf: (key: string) => Promise<Provider | undefined>;
  readonly onSignedIn: OnSignedIn;
  readonly warn: (details: object, message: string) => void;
}

export type Flow = ReturnType<typeof createFlow>;

const startAgain = () =>
  badRequest('This sign-in was started elsewhere, is already over, or took longer than ten minutes; start again');

/**
 * Signing in with a provider: a browser begins, is redirected to the provider, and finishes with the provider's
 * response.
 */
export function createFlow(dependencies: Dependencies) {
  const { database, clock, openid, matching, transactions, signIn, findProvider, providerOf, onSignedIn, warn } =
    dependencies;

  async function begin(visitor: Visitor, cookie: string | undefined, request: BeginRequest): Promise<Begun> {
    const provider = await findProvider(request.organization);
    if (!provider) throw notFound('There is no such sign-in provider');
    const transaction: Transaction = {
      provider: provider.key,
      ...{ state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() },
      redirectUri: visitor.baseUrl + callbackPath(provider.key),
      ...{ returnTo: request.returnTo ?? '/', again: request.again ?? false, begunAt: clock.now() },
      ...(request.linkTo !== undefined && { linkTo: request.linkTo }),
    };
    try {
      const url = await openid.authorizationUrl(provider, transaction, transaction.again);
      return { url, cookies: transactions.begin(visitor.baseUrl, cookie, transaction) };
    } catch (error) {
      warn({ provider: provider.key, reason: reasonOf(error) }, 'an OpenID provider cannot be used');
      throw unavailable(provider.name);
    }
  }

  const noteRefusal = (visitor: Visitor, { key }: Provider, refusal: string): Promise<void> =>
    database.transaction((tx) => signIn.trail.record(tx, visitor, { method: 'oidc', provider: key, refusal }));

  /** Returns the person who came back. Throws 502 if the provider does not respond, 401 if its response is invalid. */
  async function personFor(
    visitor: Visitor,
    provider: Provider,
    callback: URL,
    transaction: Transaction,
  ): Promise<Person> {
    const { claims: names, rules } = provider;
    const wanted = [names.subject, names.username, 'name', 'email'];
    const needsGroups = rules.adminGroup !== undefined || rules.allowedGroups.length > 0 || provider.key !== 'hub';
    try {
      const all = needsGroups ? [...wanted, names.groups] : wanted;
      const person = personIn(await openid.claimsFor(provider, callback, transaction, all), names);
      if (!person) throw new Error(`The provider sent no claim ${names.subject}`);
      return person;
    } catch (error) {
      if (!isUnavailable(error)) await noteRefusal(visitor, provider, reasonOf(error));
      if (error instanceof client.AuthorizationResponseError && callback.searchParams.get('error') === 'access_denied')
        throw forbidden('The provider refused the sign-in, or you cancelled it');
      warn({ provider: provider.key, reason: reasonOf(error) }, 'a sign-in with an OpenID provider was refused');
      throw isUnavailable(error) ? unavailable(provider.name) : refused();
    }
  }

  const enter = (visitor: Visitor, provider: Provider, person: Person, transaction: Transaction) =>
    database
      .transaction(async (tx) => {
        const matched = await matching.match(tx, provider, person);
        const { user } = matched;
        const session = await signIn.signIn.withProvider(tx, visitor, {
          userId: user.id,
          userName: user.name,
          provider: { key: provider.key, subject: person.sub, session: person.sid },
          strongAt: provedAt(person, transaction, clock.now()),
        });
        await onSignedIn(tx, visitor, provider, { ...matched, person, sessionId: session.id });
        return { user, session };
      })
      .catch(async (error: unknown) => {
        if (error instanceof HubError && error.status < 500) await noteRefusal(visitor, provider, error.message);
        throw error;
      });

  /** Links an identity to the user, and only the user, whose session began the sign-in. */
  async function link(
    visitor: Visitor,
    cookie: string | undefined,
    provider: Provider,
    person: Person,
    sessionId: string,
  ) {
    const secret = sessionIn(cookie, visitor.baseUrl);
    const principal = secret === undefined ? undefined : await signIn.sessions.authenticate(secret);
    if (principal?.session?.id !== sessionId) throw startAgain();
    const matched = await database.transaction(async (tx) => {
      const found = await matching.link(tx, provider, person, principal.userId);
      await onSignedIn(tx, visitor, provider, { ...found, person, sessionId });
      return found;
    });
    return { user: matched.user, session: undefined };
  }

  return {
    begin: (visitor: Visitor, cookie: string | undefined, request: SignInRequest) => begin(visitor, cookie, request),

    /** Begins a sign-in that links an identity to the user of a session. */
    beginLink: (visitor: Visitor, cookie: string | undefined, request: SignInRequest & { readonly linkTo: string }) =>
      begin(visitor, cookie, request),

    /** Returns the `Set-Cookie` header that deletes the cookie of the sign-in that a path belongs to. */
    cookieAfter: ({ baseUrl }: Visitor, path: string): string =>
      transactions.end(baseUrl, parseUrl(baseUrl + path)?.searchParams.get('state') ?? ''),

    /** Finishes a sign-in with the path and query to which a provider redirected the browser. */
    async finish(visitor: Visitor, cookie: string | undefined, path: string): Promise<FinishedSignIn> {
      const callback = parseUrl(visitor.baseUrl + path);
      const state = callback?.searchParams.get('state') ?? '';
      const transaction = transactions.find(visitor.baseUrl, cookie, state, clock.now());
      // The response of a provider is valid only at that provider's own callback.
      if (!callback || !transaction || callback.origin + callback.pathname !== transaction.redirectUri)
        throw startAgain();
      const provider = await providerOf(transaction.provider);
      if (!provider) throw startAgain();
      const person = await personFor(visitor, provider, callback, transaction);
      const { returnTo, linkTo } = transaction;
      const done =
        linkTo === undefined
          ? await enter(visitor, provider, person, transaction)
          : await link(visitor, cookie, provider, person, linkTo);
      return { ...done, returnTo };
    },
  };
}

/** Returns when the person proved their identity; if the provider does not say, the time follows from the request. */
function provedAt({ authenticatedAt }: Person, { again }: Transaction, now: number): number {
  if (authenticatedAt !== undefined) return Math.min(authenticatedAt, now);
  return again ? now : now - RECENT_MS;
}

/** Returns an error that also deletes the cookie of the sign-in. */
export function clearingCookie(error: unknown, cookie: string): unknown {
  if (!(error instanceof HubError)) return error;
  const { status, message, extra } = error;
  return new HubError(status, message, { ...extra, headers: { ...extra.headers, 'set-cookie': cookie } });
}
