/** Whom a quota is for: an address without a token, or a user by the best plan that the user has a part in. */
export const TIERS = ['anonymous', 'free', 'pro', 'team', 'enterprise', 'plus'] as const;
export type Tier = (typeof TIERS)[number];

/** What is counted apart: calls of the API, files and pictures, pages. */
const BUCKETS = ['api', 'resolvers', 'pages'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Requests in a window. */
export type Quotas = Readonly<Record<Bucket, Readonly<Record<Tier, number>>>>;

export const WINDOW_SECONDS = 300;

/** W§2.4. */
const PUBLIC_HUB: Quotas = {
  api: { anonymous: 500, free: 1000, pro: 2500, team: 3000, enterprise: 6000, plus: 10_000 },
  resolvers: { anonymous: 3000, free: 5000, pro: 12_000, team: 20_000, enterprise: 50_000, plus: 100_000 },
  pages: { anonymous: 100, free: 200, pro: 400, team: 400, enterprise: 600, plus: 1000 },
};

const HOW = `must be off, public, a number of requests in ${WINDOW_SECONDS} s, or numbers as in anonymous=500,free=1000`;

/**
 * Reads the setting: `off` (undefined), `public`, one number for everybody, or `tier=number` with commas between, which
 * hold for each bucket. A tier that is not named has the number of the one below it. Throws with what it must be.
 */
export function parseQuotas(text: string): Quotas | undefined {
  if (text === 'off') return undefined;
  if (text === 'public') return PUBLIC_HUB;
  const named = new Map<string, number>();
  for (const part of (/^\d+$/.test(text) ? `anonymous=${text}` : text).split(',')) {
    const [, tier = '', number = ''] = /^\s*([a-z]+)=(\d{1,9})\s*$/.exec(part) ?? [];
    if (!TIERS.some((known) => known === tier) || Number(number) < 1) throw new RangeError(HOW);
    if (named.has(tier)) throw new RangeError(`names ${tier} twice`);
    named.set(tier, Number(number));
  }
  let below = named.get('anonymous');
  if (below === undefined) throw new RangeError(`${HOW}: anonymous is needed`);
  const numbers = {} as Record<Tier, number>;
  for (const tier of TIERS) {
    below = named.get(tier) ?? below;
    numbers[tier] = below;
  }
  return { api: numbers, resolvers: numbers, pages: numbers };
}
