import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { afterAll, expect, test } from 'vitest';
import { MARKDOWN_LIMITS } from '../../src/platform/markdown/limits.ts';
import { createMarkdown } from '../../src/platform/markdown/markdown.ts';
import { addNames } from '../../src/platform/markdown/names.ts';
import { createParser } from '../../src/platform/markdown/parser.ts';
import { plainText } from '../../src/platform/markdown/plain-text.ts';
import { startHub } from '../harness.ts';
import { HOSTILE_MARKDOWN, hostileMarkdown } from './hostile-markdown.ts';

const RUNS = Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000);
const SEED = Number(process.env.MOONBASE_FUZZ_SEED ?? 20260105);
/** The number of texts after which the memory reaches the level of a working hub. */
const WARM = 100;
/** The limit is half of the time that a text may take. */
const SEEMS_SLOW_MS = 100;
const seen: Record<string, Readonly<Record<string, number | string>>> = {};

/** Yields one text of each class, then generated ones. */
function* texts(): Generator<[string, string]> {
  for (const [name, make] of Object.entries(HOSTILE_MARKDOWN)) yield [name, make()];
  for (let at = 0; at < RUNS; at++) {
    const [text = ''] = fc.sample(hostileMarkdown, { numRuns: 1, seed: SEED + at });
    yield [`generated from ${SEED + at}`, text];
  }
}

/** Returns the processor time of this process, which does not depend on other programs. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns a result and its processor time in milliseconds. A slow result is measured again and the least time counts,
 * because garbage collection and other programs slow down one measurement, but a hostile text slows down all.
 */
function measured<T>(work: () => T): { result: T; ms: number } {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; ; tries++) {
    const from = processorMs();
    const result = work();
    least = Math.min(least, processorMs() - from);
    if (least < SEEMS_SLOW_MS || tries === 4) return { result, ms: least };
  }
}

/** Returns the resident memory after garbage collection. */
function megabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage.rss() / 1e6;
}

/** Checks the health of a hub in this process until `stop`, which returns the bound of 99 of 100 answer times. */
function askForHealth(url: string) {
  const took: number[] = [];
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const from = performance.now();
      expect((await fetch(`${url}/health`)).status).toBe(200);
      took.push(performance.now() - from);
      await pause(20);
    }
  })();
  return async function stop(): Promise<number> {
    stopped = true;
    await asking;
    took.sort((a, b) => a - b);
    return took[Math.floor(took.length * 0.99)] ?? 0;
  };
}

test(`${RUNS} hostile texts of 65 kB take less than 200 ms and 2 MB each`, { timeout: 3_600_000 }, () => {
  const parse = createParser(markdownIt, addNames, MARKDOWN_LIMITS);
  const most = { ms: 0, slowest: '', bytes: 0, largest: '' };
  let plain = 0;
  parse('');
  for (const [name, text] of texts()) {
    const { result, ms } = measured(() => {
      const parsed = parse(text);
      return { isPlain: !parsed, ...(parsed ?? plainText(text)) };
    });
    const { html, mentions, isPlain } = result;
    if (isPlain) plain += 1;
    if (ms > most.ms) Object.assign(most, { ms, slowest: name });
    const bytes = Buffer.byteLength(html);
    if (bytes > most.bytes) Object.assign(most, { bytes, largest: name });
    expect(mentions.length).toBeLessThanOrEqual(50);
  }
  seen.parsing = { ...most, plain };
  expect(most.bytes).toBeLessThan(2_000_000);
  expect(most.ms).toBeLessThan(200);
});

test(`${RUNS} hostile texts do not hold up a hub, and leave no memory in use`, { timeout: 3_600_000 }, async () => {
  await using hub = await startHub();
  let plain = 0;
  const markdown = createMarkdown({ onExceeded: () => void plain++ });
  const stopAsking = askForHealth(hub.url);
  let count = 0;
  let before = 0;
  for (const [, text] of texts()) {
    expect((await markdown.parse(text)).html.length).toBeLessThan(2_000_000);
    count += 1;
    if (count === WARM) before = megabytes();
  }
  const memoryMb = megabytes() - before;
  const healthMs = await stopAsking();
  await markdown.close();
  seen.beside = { count, plain, healthMs, memoryMb };
  expect(memoryMb).toBeLessThan(50);
});

afterAll(() => console.log(seen));
