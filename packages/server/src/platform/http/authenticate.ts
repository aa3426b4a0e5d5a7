import type { FineGrained, TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Authority } from '@moonbase/contract/route';

/** Who is calling: a user, by one of the user's access tokens. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly siteAdmin: boolean;
  readonly token: {
    readonly id: string;
    readonly role: TokenRole;
    /** Its last four characters, by which people know it. */
    readonly last4?: string;
    readonly fineGrained?: FineGrained;
    /** The organizations that this token does not reach, by id, with the reason. */
    readonly cutOff?: Readonly<Record<string, CutOff>>;
  };
}

/** Why a token does not reach an organization that its user belongs to. */
export type CutOff = 'revoked' | 'fine-grained' | 'approval';

/** A request, as services see it, without a known caller. */
export interface Visitor {
  /** `http://host:port` of this hub, as the caller reached it; no slash at the end. */
  readonly baseUrl: string;
  /** The same as the operator knows it, whatever `Host` the caller named: what may be stored and shown to others. */
  readonly hubUrl: string;
  /** The request's own URL, absolute. */
  readonly url: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
}

/** A request of a known caller: the first argument of every verb of a service. */
export interface Caller extends Visitor {
  readonly principal: Principal;
}

/** Turns the text of a bearer token into who holds it. Implemented by accounts. */
export type Authenticate = (token: string) => Promise<Principal | undefined>;

/** Throws 403 where a route's authority can be judged without knowing the thing it is about. Implemented by access. */
export type Authorize = (principal: Principal, authority: Authority) => void;

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
