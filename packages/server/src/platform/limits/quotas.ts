import { recordOf } from '../typed-objects.ts';

/** The classes of quotas: requests without a token by address, users by the best plan that applies to them. */
export const TIERS = ['anonymous', 'free', 'pro', 'team', 'enterprise', 'plus'] as const;
export type Tier = (typeof TIERS)[number];

/** The kinds of requests that are counted separately: API calls, files and pictures, pages. */
const BUCKETS = ['api', 'resolvers', 'pages'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** The maximum number of requests in a window. */
export type Quotas = Readonly<Record<Bucket, Readonly<Record<Tier, number>>>>;

export const WINDOW_SECONDS = 300;

/** The quotas of the public hub, W§2.4. */
const PUBLIC_HUB: Quotas = {
  api: { anonymous: 500, free: 1000, pro: 2500, team: 3000, enterprise: 6000, plus: 10_000 },
  resolvers: { anonymous: 3000, free: 5000, pro: 12_000, team: 20_000, enterprise: 50_000, plus: 100_000 },
  pages: { anonymous: 100, free: 200, pro: 400, team: 400, enterprise: 600, plus: 1000 },
};

const FORMAT = `must be off, public, a number of requests in ${WINDOW_SECONDS} s, or numbers as in anonymous=500,free=1000`;

/**
 * Parses the setting: `off` (undefined), `public`, one number for all tiers, or `tier=number` pairs separated by
 * commas. The numbers apply to each bucket; a tier that is not named gets the number of the tier below. Throws an error
 * that describes the format.
 */
export function parseQuotas(text: string): Quotas | undefined {
  if (text === 'off') return undefined;
  if (text === 'public') return PUBLIC_HUB;
  const named = new Map<string, number>();
  for (const part of (/^\d+$/.test(text) ? `anonymous=${text}` : text).split(',')) {
    const [, tier = '', number = ''] = /^\s*([a-z]+)=(\d{1,9})\s*$/.exec(part) ?? [];
    if (!TIERS.some((known) => known === tier) || Number(number) < 1) throw new RangeError(FORMAT);
    if (named.has(tier)) throw new RangeError(`names ${tier} twice; name it once`);
    named.set(tier, Number(number));
  }
  const below = named.get('anonymous');
  if (below === undefined) throw new RangeError(`${FORMAT}: anonymous is needed`);
  let previous = below;
  const numbers = recordOf(TIERS, (tier) => {
    previous = named.get(tier) ?? previous;
    return previous;
  });
  return { api: numbers, resolvers: numbers, pages: numbers };
}
