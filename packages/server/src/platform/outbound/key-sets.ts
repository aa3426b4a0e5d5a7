import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { Clock } from '../clock.ts';

const MAX_AGE_MS = 60 * 60 * 1000;
/** The minimum interval between two fetches of a key set, whatever key ids tokens name. */
const MIN_FETCH_INTERVAL_MS = 60 * 1000;
const MAX_SETS = 200;
const MAX_KEYS = 100;

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) });

/** The public key signature algorithms; `none` and shared secrets are excluded. */
export const PUBLIC_KEY_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
];

interface CachedKeySet {
  readonly find: JWTVerifyGetKey;
  /** When the keys were fetched. */
  readonly at: number;
}

interface Options {
  readonly clock: Clock;
  /** Whether an issuer that did not respond, and whose keys are unknown, is left alone for a minute. */
  readonly restsAfterFailure: boolean;
}

export type KeySets = ReturnType<typeof createKeySets>;

/**
 * Caches the public keys of issuers. A set is fetched again after an hour, and at most once a minute for a token that
 * names an unknown key; concurrent requests share a fetch. While an issuer does not respond, its previous keys stay
 * valid.
 */
export function createKeySets({ clock, restsAfterFailure }: Options) {
  const sets = new LRUCache<string, CachedKeySet>({ max: MAX_SETS });
  const fetchedAt = new LRUCache<string, number>({ max: MAX_SETS });
  const loading = new Map<string, Promise<CachedKeySet>>();

  async function load(issuer: string, fetchSet: () => Promise<unknown>): Promise<CachedKeySet> {
    fetchedAt.set(issuer, clock.now());
    const set: JSONWebKeySet = KeySet.parse(await fetchSet());
    const known = { find: createLocalJWKSet(set), at: clock.now() };
    sets.set(issuer, known);
    return known;
  }

  function loadOnce(issuer: string, fetchSet: () => Promise<unknown>): Promise<CachedKeySet> {
    const running = loading.get(issuer) ?? load(issuer, fetchSet).finally(() => loading.delete(issuer));
    loading.set(issuer, running);
    return running;
  }

  const mayFetch = (issuer: string) =>
    (fetchedAt.get(issuer) ?? Number.NEGATIVE_INFINITY) + MIN_FETCH_INTERVAL_MS <= clock.now();

  async function current(issuer: string, fetchSet: () => Promise<unknown>): Promise<CachedKeySet> {
    const known = sets.get(issuer);
    if (known && known.at + MAX_AGE_MS > clock.now()) return known;
    const pauses = !loading.has(issuer) && !mayFetch(issuer);
    if (known) return pauses ? known : loadOnce(issuer, fetchSet).catch(() => known);
    if (pauses && restsAfterFailure) throw new Error('The issuer did not answer a moment ago');
    return loadOnce(issuer, fetchSet);
  }

  return {
    /** Returns the key resolver of an issuer; `fetchSet` fetches its key set as JSON. */
    of:
      (issuer: string, fetchSet: () => Promise<unknown>): JWTVerifyGetKey =>
      async (header, token) => {
        const known = await current(issuer, fetchSet);
        try {
          return await known.find(header, token);
        } catch (error) {
          if (!(error instanceof errors.JWKSNoMatchingKey) || !mayFetch(issuer)) throw error;
          return (await loadOnce(issuer, fetchSet)).find(header, token);
        }
      },
  };
}
