import { atPace, createBystander } from './bystander.ts';
import { nextLine, startChild } from './child.ts';
import { cpuSeconds } from './cpu.ts';
import type { BenchHub } from './hub.ts';
import { guessing } from './identity/guessing.ts';
import { addPeople, beginSession, startHubOfPeople } from './identity/people.ts';
import { strangers } from './identity/strangers.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, percentile, ratio } from './stats.ts';

const PEOPLE = 400;
const AT_ONCE = 100;
const PAGES_PER_SECOND = 50;
const INBOX = '/api/notifications';

/** Measures the cost of sessions, the effect of sign-ins on others, and the gain and damage from guessing. */
export async function benchIdentity({ rounds, requests, guesses, strangerRounds }: Scale): Promise<Figure[]> {
  await using hub = await startHubOfPeople();
  const { accessToken } = await createBystander(hub.connection);
  await addPeople(hub, PEOPLE);
  const token = { authorization: `Bearer ${accessToken}` };
  const session = { cookie: await beginSession(hub, 'reader'), 'sec-fetch-site': 'same-origin' };
  return [
    await lookUps(hub, { token, session }, rounds, requests),
    ...(await besideSignIns(hub, token, Math.min(rounds, 3))),
    ...(await strangers(hub, strangerRounds)),
    ...(await guessing(hub, guesses)),
  ];
}

type Headers = Record<string, string>;

/** Returns the ratio of the processor time of an inbox page for a session to one for an access token. */
async function lookUps(
  hub: BenchHub,
  { token, session }: { readonly token: Headers; readonly session: Headers },
  rounds: number,
  requests: number,
): Promise<Figure> {
  const secondsOf = async (headers: Headers) => {
    const before = await cpuSeconds(hub.pid);
    const next = () => requestBytes(hub.url, 'GET', INBOX, headers);
    await load({ url: hub.url, connections: 8, requests: Math.ceil(requests / 4), next });
    return (await cpuSeconds(hub.pid)) - before;
  };
  await secondsOf(token);
  await secondsOf(session);
  const pairs: [number, number][] = [];
  for (let round = 0; round < 2 * rounds; round++) {
    // The order alternates between rounds.
    if (round % 2 === 0) pairs.push([await secondsOf(session), await secondsOf(token)]);
    else {
      const ofToken = await secondsOf(token);
      pairs.push([await secondsOf(session), ofToken]);
    }
  }
  return {
    name: 'a page of the inbox by a session, processor time to by an access token',
    ...{ value: ratio(pairs), unit: 'ratio', bound: { atMost: 1.03 }, rounds: pairs },
  };
}

/**
 * Compares inbox pages at an even pace while 100 people sign in at once with the same before, and with pages while 100
 * sign-ins arrive at once that are refused for want of a password.
 */
async function besideSignIns(hub: BenchHub, headers: Headers, rounds: number): Promise<Figure[]> {
  const page = async () => {
    const answer = await fetch(hub.url.origin + INBOX, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A page of the inbox was answered with ${answer.status}`);
  };
  await using people = startChild('identity/sign-ins.ts', [hub.url.href, String(AT_ONCE)]);
  await nextLine(people);
  const tailWhile = async (isOver: () => boolean) => percentile(await atPace(PAGES_PER_SECOND, isOver, page), 0.99);
  const forMs = (ms: number) => {
    const until = performance.now() + ms;
    return () => performance.now() > until;
  };
  const bySignIns: [number, number][] = [];
  const byRefused: [number, number][] = [];
  let signInMs = 0;
  for (let round = 0; round < rounds; round++) {
    let isOver = false;
    people.tell({ signIn: true });
    const all = nextLine(people).then((ms) => {
      isOver = true;
      signInMs = Number(ms);
    });
    const beside = await tailWhile(() => isOver);
    await all;
    const alone = await tailWhile(forMs(signInMs));
    people.tell({ signIn: false });
    const besideRefused = await tailWhile(forMs(signInMs));
    await nextLine(people);
    bySignIns.push([beside, alone]);
    byRefused.push([besideRefused, alone]);
  }
  return [
    {
      name: `pages of the inbox while ${AT_ONCE} people sign in at once, p99 to without`,
      ...{ value: ratio(bySignIns), unit: 'ratio', bound: { atMost: 2 }, rounds: bySignIns },
      note: `all are signed in after ${(signInMs / 1000).toPrecision(2)} s`,
    },
    {
      name: `pages of the inbox while ${AT_ONCE} sign-ins without a password are refused at once, p99 to without`,
      ...{ value: ratio(byRefused), unit: 'ratio', rounds: byRefused },
    },
  ];
}
