import type { FineGrained, TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Authority } from '@moonbase/contract/route';

/** The identity of a caller: a user, authenticated by an access token or by a browser session. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly siteAdmin: boolean;
  /** The browser session, if the request came with one. */
  readonly session?: {
    readonly id: string;
    /** When the person last proved who they are, in epoch milliseconds. */
    readonly strongAt: number;
    /** When the session ends, however much it is used, in epoch milliseconds. */
    readonly expiresAt: number;
  };
  /**
   * The rights of the caller. For a session that acts as its user, `id` is the id of the session and `role` is `write`.
   */
  readonly token: {
    readonly id: string;
    readonly role: TokenRole;
    /** The last four characters of the access token, by which people recognize it. */
    readonly last4?: string;
    /** When the access token expires, in epoch milliseconds; absent: never. */
    readonly expiresAt?: number;
    readonly fineGrained?: FineGrained;
    /** The OAuth application that calls for the user, if any; `id` and `role` are then those of the grant. */
    readonly oauth?: {
      readonly clientId: string;
      readonly name: string;
      readonly scopes: readonly string[];
      /** The ids of the further accounts that the user selected for the application. */
      readonly picked: readonly string[];
    };
    /** The accounts that refuse this token: account id to reason. */
    readonly cutOff?: Readonly<Record<string, string>>;
  };
}

/** A request without an authenticated caller, as services see it. */
export interface Visitor {
  /** `http://host:port` of this hub, as the caller reached it; no slash at the end. */
  readonly baseUrl: string;
  /**
   * The base URL that the operator configured, independent of the request's `Host`: safe to store and to show to
   * others.
   */
  readonly hubUrl: string;
  /** The request's own URL, absolute. */
  readonly url: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
}

/** A request of an authenticated caller: the first argument of every verb of a service. */
export interface Caller extends Visitor {
  readonly principal: Principal;
}

/**
 * The principal of a request without credentials, which reads what is public. It has no user id, so that nothing is done
 * or recorded in the name of a user; its token covers nothing.
 */
export interface Anonymous {
  readonly userId: undefined;
  readonly token: { readonly role: 'fineGrained' };
}
export const ANONYMOUS: Anonymous = { userId: undefined, token: { role: 'fineGrained' } };

/** A request that reads, of an authenticated caller or without credentials: what routes that are `anonymous` get. */
export interface ReadingCaller extends Visitor {
  readonly principal: Principal | Anonymous;
}

/** Returns whether a request came with credentials. */
export const isAuthenticated = (caller: ReadingCaller): caller is Caller => caller.principal.userId !== undefined;

/**
 * Returns whether a caller is signed in as a user, as opposed to an access token or to a session that acts as a token.
 */
export const isSignedInUser = ({ session, token }: Principal): boolean => session?.id === token.id;

/** Returns when the credential of a caller expires, in epoch milliseconds; undefined: never. */
export function credentialExpiresAt({ session, token }: Principal): number | undefined {
  const ends = [session?.expiresAt, token.expiresAt].filter((at) => at !== undefined);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** The credential of a request: the text of an access token, or the secret of a session. */
export type Credential =
  | { readonly kind: 'token'; readonly text: string }
  | { readonly kind: 'session'; readonly secret: string };

/** Returns the principal of a credential, if the credential is valid. Implemented by accounts and sign-in. */
export type Authenticate = (credential: Credential) => Promise<Principal | undefined>;

/**
 * Throws 403 if the principal lacks the authority of a route, as far as that is known before the object is loaded.
 * Implemented by access.
 */
export type Authorize = (principal: Principal, authority: Authority) => void;
