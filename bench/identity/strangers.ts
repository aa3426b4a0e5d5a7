import { setTimeout as pause } from 'node:timers/promises';
import type { BenchHub } from '../hub.ts';
import { type Figure, median } from '../stats.ts';
import { addPasswordless, ask, beginSession, newAddress } from './people.ts';

const BACKGROUND_MS = 15;

/** Requests of one kind, which must look alike to a stranger who does not know the existing names. */
interface Variant {
  readonly name: string;
  readonly send: (round: number) => ReturnType<typeof ask>;
}

/**
 * Sends the variants in turn, so that disturbances affect all alike; throws if an answer differs in status or text.
 * Returns the ratio of the largest median time to the smallest.
 */
async function spread(what: string, variants: readonly Variant[], rounds: number): Promise<Figure> {
  const times = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  const answers = new Set<string>();
  for (let round = -2; round < rounds; round++) {
    // Each variant comes first as often as the others.
    for (let at = 0; at < variants.length; at++) {
      const variant = variants[(at + round + variants.length) % variants.length];
      if (!variant) continue;
      const { status, text, ms } = await variant.send(round + 2);
      // The hub does in the background what a request asked for, and the next request is not to wait for it.
      await pause(BACKGROUND_MS);
      answers.add(`${status} ${text}`);
      if (round >= 0) times.get(variant.name)?.push(ms);
    }
  }
  if (answers.size !== 1) throw new Error(`${what}: the answers differ: ${[...answers].join(' | ')}`);
  const medians = [...times].map(([name, list]) => [name, median(list)] as const);
  const values = medians.map(([, value]) => value);
  return {
    name: `${what}: the slowest kind of name to the quickest, medians`,
    value: Math.max(...values) / Math.min(...values),
    unit: 'ratio',
    bound: { atMost: 1.1 },
    note: medians.map(([name, value]) => `${name} ${value.toPrecision(3)} ms`).join(', '),
  };
}

/** Measures how well a stranger can tell existing names by time: at sign-in, at a reset and at a link. */
export async function strangers(hub: BenchHub, rounds: number): Promise<Figure[]> {
  await addPasswordless(hub, 'nopassword');
  const signIn = (name: string): Variant['send'] => {
    const body = { name, password: 'wrong and long enough' };
    return () => ask(hub, { path: '/api/sign-in', body, address: newAddress() });
  };
  const reset = (name: (round: number) => string): Variant['send'] => {
    return (round) => ask(hub, { path: '/api/sign-in/reset', body: { name: name(round) }, address: newAddress() });
  };
  const cookies = new Map<number, string>();
  // A user may ask for five links a day, so each asks for two of either kind.
  const link = (email: (round: number) => string): Variant['send'] => {
    return async (round) => {
      const user = 10 + Math.floor(round / 2);
      const cookie = cookies.get(user) ?? (await beginSession(hub, `p-${user}`));
      cookies.set(user, cookie);
      const body = { email: email(round) };
      const answer = await ask(hub, {
        method: 'PUT',
        path: '/api/settings/email',
        body,
        address: newAddress(),
        cookie,
      });
      // The answer repeats the typed address, and contains the time.
      return { ...answer, text: answer.text.replace(/"pending":.*/, '').replace(/p-\d+@/, '') };
    };
  };
  return [
    await spread(
      'a wrong password',
      [
        { name: 'known', send: signIn('p-1') },
        { name: 'known address', send: signIn('p-2@hub.example') },
        { name: 'unknown', send: signIn('nobody') },
        { name: 'without a password', send: signIn('nopassword') },
      ],
      rounds,
    ),
    await spread(
      'asking for a reset',
      [
        { name: 'known', send: reset((round) => `p-${round}`) },
        { name: 'known address', send: reset((round) => `p-${round}@hub.example`) },
        { name: 'unknown', send: reset((round) => `n-${round}`) },
      ],
      rounds * 5,
    ),
    await spread(
      'asking for a link to an address',
      [
        { name: "somebody's", send: link((round) => `p-${round + 200}@hub.example`) },
        { name: "nobody's", send: link((round) => `n-${round}@hub.example`) },
      ],
      rounds * 2,
    ),
  ];
}
