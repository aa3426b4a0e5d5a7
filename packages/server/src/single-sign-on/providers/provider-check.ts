import type { ServerMetadata } from 'openid-client';
import * as z from 'zod';
import { OutboundFailure } from '../../platform/outbound/failure.ts';
import { isInTheClear } from '../../platform/outbound/issuer.ts';
import type { Documents } from './documents.ts';
import { causesOf } from './failures.ts';
import { fetchKeys } from './openid.ts';
import type { ContactedProvider } from './provider.ts';

const MAX_QUOTED = 200;
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });
const OtherIssuer = z.object({ attribute: z.literal('issuer'), body: z.object({ issuer: z.string() }) });

/** Returns what a provider sent, for a sentence of the hub. */
const quoted = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_QUOTED);

const anotherIssuer = (issuer: string) =>
  `The provider names the issuer ${quoted(issuer)}: if you trust it, enter that one`;

function faultOfError(error: unknown, what: string): string {
  for (const cause of causesOf(error)) {
    if (cause instanceof OutboundFailure) return `${what} cannot be fetched: ${cause.message}`;
    // A conforming status is 200; another with this cause has a body that is not JSON.
    if (cause instanceof Response && cause.status !== 200)
      return `${what} cannot be fetched: the status is ${cause.status}`;
    const other = OtherIssuer.safeParse(cause);
    if (other.success) return anotherIssuer(other.data.body.issuer);
  }
  return `${what} does not follow OpenID Connect Discovery`;
}

function faultOfDocument(server: ServerMetadata, issuer: string): string | undefined {
  if (server.issuer !== issuer) return anotherIssuer(server.issuer);
  for (const name of ENDPOINTS) {
    const url = server[name];
    if (url === undefined) return `The discovery document of the issuer has no ${name}`;
    if (!URL.canParse(url) || (!url.startsWith('https:') && !isInTheClear(issuer)))
      return `The ${name} in the discovery document of the issuer is not an https URL`;
  }
  return undefined;
}

/** Says in one sentence why people could not sign in at a provider; undefined if nothing is known against it. */
export type ProviderCheck = (provider: ContactedProvider) => Promise<string | undefined>;

export const createProviderCheck =
  ({ contact, fetchFor }: Documents): ProviderCheck =>
  async (provider) => {
    try {
      const server = await contact(provider);
      const fault = faultOfDocument(server, provider.issuer);
      if (fault !== undefined) return fault;
      const keys = await fetchKeys(server.jwks_uri ?? '', fetchFor(provider)).catch((error: unknown) => error);
      if (keys instanceof OutboundFailure) return faultOfError(keys, 'The key set of the issuer');
      return Keys.safeParse(keys).success ? undefined : 'The key set of the issuer has no keys, or is not JSON';
    } catch (error) {
      return faultOfError(error, 'The discovery document of the issuer');
    }
  };
