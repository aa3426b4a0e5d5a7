import { createRepo, listRefs } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect } from 'vitest';
import { pause } from './pace.ts';
import type { Sink } from './sink.ts';

export const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
export const REPO = 'admin/bert';
const headers = { Authorization: `Bearer ${ACCESS_TOKEN}`, 'Content-Type': 'application/json' };

/** A refusal of a hub without its database: a sentence, and when to retry. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly retryAfter: string | null;
}

export interface Load {
  /** The branches that the hub acknowledged. */
  readonly acknowledged: Set<string>;
  /** When each branch was requested, in epoch milliseconds. */
  readonly askedAt: Map<string, number>;
  /** Every answer that was not a success. */
  readonly refusals: Refusal[];
  /** The numbers of successful reads and writes so far. */
  readonly done: { reads: number; writes: number };
  stop(): Promise<void>;
}

/** Creates a repository and a webhook that gets all of its events. */
export async function prepareHub(hubUrl: string, sinkUrl: string): Promise<void> {
  const connection = { hubUrl, accessToken: ACCESS_TOKEN };
  await createRepo({ ...connection, type: 'model', repo: REPO });
  const watched = [{ type: 'model' as const, name: REPO }];
  await createWebhook({ ...connection, webhook: { url: sinkUrl, watched, domains: ['repo'] } });
}

/** Starts writers that create branches, and a reader; both continue after refusals until they are stopped. */
export function startLoad(hubUrl: string, prefix: string, { writers = 4, restMs = 0 } = {}): Load {
  const load = {
    acknowledged: new Set<string>(),
    askedAt: new Map<string, number>(),
    refusals: [] as Refusal[],
    done: { reads: 0, writes: 0 },
  };
  let going = true;

  async function ask(path: string, method: string): Promise<boolean> {
    const answer = await fetch(hubUrl + path, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    const text = await answer.text();
    if (answer.ok) return true;
    const { error = '' } = JSON.parse(text) as { error?: string };
    load.refusals.push({ status: answer.status, error, retryAfter: answer.headers.get('retry-after') });
    await pause(20);
    return false;
  }
  async function write(writer: number): Promise<void> {
    for (let at = 0; going; at++) {
      const branch = `${prefix}-w${writer}-${at}`;
      load.askedAt.set(`refs/heads/${branch}`, Date.now());
      if (!(await ask(`/api/models/${REPO}/branch/${branch}`, 'POST'))) continue;
      load.acknowledged.add(`refs/heads/${branch}`);
      load.done.writes++;
      if (restMs > 0) await pause(restMs);
    }
  }
  async function read(): Promise<void> {
    for (; going; await pause(5)) if (await ask(`/api/models/${REPO}`, 'GET')) load.done.reads++;
  }
  const all = Promise.all([read(), ...Array.from({ length: writers }, (_, writer) => write(writer))]);
  return {
    ...load,
    async stop() {
      going = false;
      await all;
    },
  };
}

const INTERNALS = /\bat \S+ \(|node:|\.[jt]s:\d|SQLITE_|ECONN|57P|insert into|select |127\.0\.0\.1/;

/** Expects each refusal to be a 503 with a sentence and a retry time, and no internal details. */
export function expectRefusals(refusals: readonly Refusal[]): void {
  expect(refusals.filter(({ status }) => status !== 503)).toEqual([]);
  for (const { error, retryAfter } of refusals) {
    expect(error).toMatch(/\S \S/);
    expect(error).not.toMatch(INTERNALS);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
}

/** Waits until a condition holds and returns the time that took; throws after `longestMs`. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  longestMs = 300_000,
): Promise<number> {
  const startedAt = Date.now();
  while (!(await isSo())) {
    if (Date.now() - startedAt > longestMs) throw new Error(`${what}: not within ${longestMs} ms`);
    await pause(50);
  }
  return Date.now() - startedAt;
}

/** Checks that every acknowledged branch is stored and delivered, and prints the figures. */
export async function expectNothingLost(
  story: string,
  hubUrl: string,
  { acknowledged, sink }: { acknowledged: ReadonlySet<string>; sink: Sink },
): Promise<void> {
  const deliveries = () => [...sink.deliveries.values()];
  const lost = () => {
    const arrived = new Set(deliveries().map(({ ref }) => ref));
    return [...acknowledged].filter((ref) => !arrived.has(ref));
  };
  await until('all is delivered', () => lost().length === 0).catch(() => {});
  const { branches } = await listRefs({ hubUrl, accessToken: ACCESS_TOKEN, type: 'model', repo: REPO });
  const stored = new Set(branches.map(({ ref }) => ref));
  const missing = [...acknowledged].filter((ref) => !stored.has(ref));
  const duplicates = deliveries().reduce((sum, { times }) => sum + times - 1, 0);
  console.log(
    `${story}: acked ${acknowledged.size}, delivered ${sink.deliveries.size}, lost ${lost().length}, duplicate ${duplicates}`,
  );
  expect(acknowledged.size).toBeGreaterThan(0);
  expect(missing).toEqual([]);
  expect(lost()).toEqual([]);
  // A change has one delivery, so repeated requests have the same id.
  expect(new Set(deliveries().map(({ ref }) => ref)).size).toBe(sink.deliveries.size);
}
