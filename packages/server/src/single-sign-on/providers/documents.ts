import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { Clock } from '../../platform/clock.ts';
import { isInTheClear } from '../../platform/outbound/issuer.ts';
import { type ContactedProvider, HUB } from './provider.ts';
import type { ProviderFetch } from './provider-fetch.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly fetchOf: (isTrusted: boolean) => ProviderFetch;
}

const CACHE_MS = 60 * 60 * 1000;
/** How long a failed provider is not contacted again, however many people sign in. */
const FAILURE_CACHE_MS = 5 * 1000;
const MAX_DOCUMENTS = 200;

export type Documents = ReturnType<typeof createDocuments>;

/** The metadata of providers, and requests to providers. */
export function createDocuments({ clock, fetchOf }: Dependencies) {
  const documents = new LRUCache<string, { readonly server: client.ServerMetadata; readonly at: number }>({
    max: MAX_DOCUMENTS,
  });
  const failures = new LRUCache<string, { readonly error: unknown; readonly at: number }>({ max: MAX_DOCUMENTS });
  const loading = new Map<string, Promise<client.ServerMetadata>>();
  const fetchFor = ({ key }: ContactedProvider) => fetchOf(key === HUB);
  const nameOf = ({ key, issuer }: ContactedProvider) => `${key} ${issuer}`;

  /** The fetch function for openid-client. */
  const customFetch =
    (provider: ContactedProvider): client.CustomFetch =>
    (url, { method, headers, body }) =>
      fetchFor(provider)(url, {
        method,
        headers,
        body: body instanceof URLSearchParams ? body.toString() : undefined,
      });

  const execute = ({ issuer }: ContactedProvider) => (isInTheClear(issuer) ? [client.allowInsecureRequests] : []);

  async function discover(provider: ContactedProvider): Promise<client.ServerMetadata> {
    // The client id plays no part in discovery.
    const found = await client.discovery(new URL(provider.issuer), 'hub', undefined, client.None(), {
      [client.customFetch]: customFetch(provider),
      execute: execute(provider),
    });
    const server = found.serverMetadata();
    documents.set(nameOf(provider), { server, at: clock.now() });
    failures.delete(nameOf(provider));
    return server;
  }

  /** Contacts a provider, unless it failed a moment ago; concurrent calls share the request. */
  async function contact(provider: ContactedProvider): Promise<client.ServerMetadata> {
    const name = nameOf(provider);
    const failed = failures.get(name);
    if (failed && failed.at + FAILURE_CACHE_MS > clock.now()) throw failed.error;
    const running = loading.get(name) ?? discover(provider).finally(() => loading.delete(name));
    loading.set(name, running);
    return running.catch((error: unknown) => {
      failures.set(name, { error, at: clock.now() });
      throw error;
    });
  }

  return {
    fetchFor,
    customFetch,
    /** The options for requests of openid-client. */
    execute,
    contact,

    /** Returns the metadata of a provider: cached for an hour, and for longer while the provider does not respond. */
    serverOf: async (provider: ContactedProvider): Promise<client.ServerMetadata> => {
      const known = documents.get(nameOf(provider));
      if (known && known.at + CACHE_MS > clock.now()) return known.server;
      return contact(provider).catch((error: unknown) => {
        if (known) return known.server;
        throw error;
      });
    },
  };
}
