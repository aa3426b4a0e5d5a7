import type { JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { GuardedFetch } from '../../platform/outbound/guarded-fetch.ts';
import { createKeySets } from '../../platform/outbound/key-sets.ts';
import { httpsFault } from './https-fault.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Reaches only public addresses and those that the operator allows. */
  readonly fetch: GuardedFetch['fetch'];
  /** Whether issuers may run on this machine, using http. */
  readonly mayReachThisMachine: boolean;
}

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.string() });

export type IssuerKeys = ReturnType<typeof createIssuerKeys>;

/** The public keys of trusted publishers' issuers, cached by `createKeySets`. */
export function createIssuerKeys({ clock, fetch, mayReachThisMachine }: Dependencies) {
  const keySets = createKeySets({ clock, restsAfterFailure: true });

  async function read(url: string): Promise<unknown> {
    const fault = httpsFault(url, mayReachThisMachine);
    if (fault !== undefined) throw new Error(`An address of the issuer ${fault}`);
    const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
    if (answer.status !== 200) throw new Error(`The issuer answers with ${answer.status}`);
    return answer.json();
  }

  async function fetchSet(issuer: string): Promise<unknown> {
    const metadata = Metadata.parse(await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
    if (metadata.issuer !== issuer) throw new Error('The metadata names another issuer');
    return read(metadata.jwks_uri);
  }

  return {
    /** Returns the function that finds the key for a token of an issuer. */
    of: (issuer: string): JWTVerifyGetKey => keySets.of(issuer, () => fetchSet(issuer)),
  };
}
