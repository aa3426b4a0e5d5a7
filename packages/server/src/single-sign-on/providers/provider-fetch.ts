import { createAddressGuard } from '../../platform/outbound/address-guard.ts';
import { createGuardedFetch, type FetchRequest } from '../../platform/outbound/guarded-fetch.ts';

export type ProviderFetch = (url: string, request: FetchRequest) => Promise<Response>;

interface Settings {
  readonly outboundAllow: readonly string[];
  readonly developmentMode: boolean;
  /** The issuer that the operator has set, which may be inside the private network. */
  readonly trustedIssuer: string | undefined;
}

interface ProviderFetches {
  /** `isTrusted`: the provider is the one that the operator has set. */
  readonly of: (isTrusted: boolean) => ProviderFetch;
  readonly close: () => Promise<void>;
}

/**
 * How the hub reaches providers: public addresses, and those that the operator allows. The issuer that the operator has
 * set is reached wherever its host is; other origins that its documents name are not.
 */
export function createProviderFetch({ outboundAllow, developmentMode, trustedIssuer }: Settings): ProviderFetches {
  const guarded = createGuardedFetch({
    guard: createAddressGuard({ allow: outboundAllow, allowLoopback: developmentMode }),
  });
  const anywhere = createGuardedFetch({ guard: { admits: () => true } });
  const trusted = trustedIssuer === undefined ? undefined : new URL(trustedIssuer).origin;
  return {
    of:
      (isTrusted): ProviderFetch =>
      (url, request) =>
        (isTrusted && new URL(url).origin === trusted ? anywhere : guarded).fetch(url, request),

    async close() {
      await Promise.all([guarded[Symbol.asyncDispose](), anywhere[Symbol.asyncDispose]()]);
    },
  };
}
