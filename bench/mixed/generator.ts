// Sends requests at fixed rates from a process of its own: each request is sent when due, without waiting for earlier
// answers.
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, type Fixture, type Kind, type MadeUsers, mixedLoad } from './plan.ts';
import { createSender, type Sender } from './sender.ts';

export interface Start {
  readonly fixture: Fixture;
  readonly seconds: number;
  readonly exportSeconds: number;
  /** The addresses of the API replicas. */
  readonly urls: readonly string[];
}

/** Tells that a replica was replaced. */
export interface ReplacedReplica {
  readonly urls: readonly string[];
}

/** The outcome of the requests of one kind. */
export interface RequestOutcome {
  readonly name: string;
  readonly group: Kind['group'];
  due: number;
  answered: number;
  /** The milliseconds from the due time of each request to its whole answer, without those that were cut. */
  readonly times: number[];
}

export interface Result {
  readonly kinds: readonly RequestOutcome[];
  /** Acknowledged changes, with the time of the answer (milliseconds since 1970). */
  readonly acked: readonly (readonly [key: string, at: number])[];
  /** Changes whose answer was cut, which may or may not have happened. */
  readonly unknown: readonly string[];
  /** The answers with any status but 2xx: by kind and status their number, with one example. */
  readonly failures: Readonly<Record<string, { count: number; readonly text: string }>>;
  /** Connections that ended before the answer, by the replica's URL. */
  readonly cuts: Readonly<Record<string, number>>;
  readonly refused: number;
  /** The milliseconds by which requests were sent late, which the generator itself adds. */
  readonly lateness: readonly number[];
}

const made: MadeUsers = [];
let senders: Sender[] = [];
let turns = 0;

const kinds: RequestOutcome[] = [];
const acked: [string, number][] = [];
const unknown: string[] = [];
const failures: Record<string, { count: number; readonly text: string }> = {};
const cuts: Record<string, number> = {};
let refused = 0;
const lateness: number[] = [];

/** The number of attempts of a request to find a listening replica, and the pause after each without one. */
const TRIES = 200;
const REST_MS = 50;

async function ask(what: Ask, asked: RequestOutcome, due: number): Promise<void> {
  let cut = false;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const sender = senders[turns++ % Math.max(1, senders.length)];
    if (!sender) {
      await pause(REST_MS);
      continue;
    }
    const outcome = await sender.send(what);
    if (outcome.how === 'answered') {
      if (!cut) asked.times.push(performance.now() - due);
      return answered(what, asked, outcome);
    }
    if (outcome.how === 'late') return fail(asked.name, 'no answer', '');
    if (outcome.how === 'refused') {
      // A replica stays out of the rotation until it is replaced, as with a balancer.
      senders = senders.filter((each) => each !== sender);
      refused++;
      continue;
    }
    cut = true;
    cuts[sender.url] = (cuts[sender.url] ?? 0) + 1;
    if (what.method !== 'GET') {
      if (what.key) unknown.push(what.key);
      return;
    }
  }
  fail(asked.name, 'nobody listens', '');
}

function answered({ key }: Ask, asked: RequestOutcome, { status, text }: { status: number; text: string }): void {
  if (status < 200 || status > 299) {
    fail(asked.name, String(status), text);
    return;
  }
  asked.answered++;
  if (key === undefined) return;
  acked.push([key, Date.now()]);
  if (asked.name === 'SCIM create') made.push(JSON.parse(text) as MadeUsers[number]);
}

function fail(name: string, status: string, text: string): void {
  const failure = failures[`${name}: ${status}`];
  if (failure) failure.count++;
  else failures[`${name}: ${status}`] = { count: 1, text: text.slice(0, 300) };
}

async function run({ fixture, seconds, exportSeconds }: Start): Promise<Result> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const underway: Promise<void>[] = [];
  const timetable = mixedLoad(fixture, made, exportSeconds).map((kind, index) => {
    const asked: RequestOutcome = { name: kind.name, group: kind.group, due: 0, answered: 0, times: [] };
    kinds.push(asked);
    // The kinds start at different times, and exports start after the load.
    const every = 1000 / kind.perSecond;
    return { kind, asked, every, at: 0, due: startedAt + (kind.group === 'exports' ? every / 2 : index * 7) };
  });
  for (;;) {
    const next = timetable.reduce((first, each) => (each.due < first.due ? each : first));
    if (next.due >= endsAt) break;
    if (next.due - performance.now() > 0.5) await pause(next.due - performance.now());
    const what = next.kind.make(next.at++);
    if (what) {
      next.asked.due++;
      lateness.push(performance.now() - next.due);
      underway.push(ask(what, next.asked, next.due));
    }
    next.due += next.every;
  }
  await Promise.all(underway);
  return { kinds, acked, unknown, failures, cuts, refused, lateness };
}

function use(urls: readonly string[]): void {
  const kept = senders.filter(({ url }) => urls.includes(url));
  for (const gone of senders) if (!kept.includes(gone)) gone.close();
  senders = [...kept, ...urls.filter((url) => !kept.some((each) => each.url === url)).map(createSender)];
}

process.on('message', (message: Start | ReplacedReplica) => {
  use(message.urls);
  if (!('fixture' in message)) return;
  void run(message).then((result) => console.log(JSON.stringify(result)));
});
process.on('disconnect', () => process.exit());
console.log('ready');
