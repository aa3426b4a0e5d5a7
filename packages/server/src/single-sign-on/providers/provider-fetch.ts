import { createAddressGuard } from '../../platform/outbound/address-guard.ts';
import { createGuardedFetch, type FetchRequest } from '../../platform/outbound/guarded-fetch.ts';

export type ProviderFetch = (url: string, request: FetchRequest) => Promise<Response>;

interface Settings {
  readonly outboundAllow: readonly string[];
  readonly developmentMode: boolean;
  /** The issuer that the operator configured, which may be inside the private network. */
  readonly trustedIssuer: string | undefined;
}

interface ProviderFetches {
  /** `isTrusted`: whether the operator configured the provider. */
  readonly of: (isTrusted: boolean) => ProviderFetch;
  readonly close: () => Promise<void>;
}

/**
 * The fetch functions for providers: public addresses, and those that the operator allows. The operator's issuer is
 * reached wherever its host is; other origins named by its documents are not.
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
