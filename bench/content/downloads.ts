import { mkdtemp, open, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from '../child.ts';
import { ACCESS_TOKEN, type BenchHub } from '../hub.ts';
import type { Scale } from '../scale.ts';
import { type Figure, ratio } from '../stats.ts';
import { fetchBytes } from './fetching.ts';
import { commitPointer, type LargeFile, largeFile, put, uploadUrl } from './large-file.ts';

export const LARGE_REPO = 'admin/downloads';
export const LARGE_PATH = `/${LARGE_REPO}/resolve/main/model.bin`;
const MEBIBYTE = 1024 * 1024;
const RANGE = 64 * 1024;
const CONNECTIONS = 8;

/** Measures downloads of a large file, whole and in ranges, against a bare server that streams the same file. */
export async function downloads(hub: BenchHub, { contentMebibytes, requests, rounds }: Scale): Promise<Figure[]> {
  const file = largeFile(contentMebibytes);
  await createRepo({ ...hub.connection, type: 'model', repo: LARGE_REPO });
  await put(await uploadUrl(hub, LARGE_REPO, file), file);
  await commitPointer(hub, LARGE_REPO, 'model.bin', file);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-get-'));
  try {
    const path = join(folder, 'file');
    await write(path, file);
    await using bare = startChild('content/bare-files.ts', [path]);
    const reference = new URL(await nextLine(bare));
    const ours = await addressOf(hub);
    const whole: [number, number][] = [];
    const ranges: [number, number][] = [];
    for (let round = 0; round < rounds; round++) {
      whole.push([await wholeRate(ours), await wholeRate(reference)]);
      const count = Math.ceil(requests / 5);
      ranges.push([await rangeRate(ours, file, count), await rangeRate(reference, file, count)]);
    }
    const size = `${contentMebibytes.toLocaleString('en')} MiB`;
    return [
      {
        name: `a download of ${size}, to a bare server that streams it`,
        ...{ value: ratio(whole), unit: 'ratio', bound: { atLeast: 0.85 }, rounds: whole },
      },
      {
        name: `random ranges of 64 KiB of ${size}, to a bare server that streams them`,
        ...{ value: ratio(ranges), unit: 'ratio', bound: { atLeast: 0.4 }, rounds: ranges },
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the address from which the hub serves the bytes, as a client would that follows its redirects. */
export async function addressOf(hub: BenchHub): Promise<URL> {
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}` };
  const answer = await fetch(new URL(LARGE_PATH, hub.url), { method: 'HEAD', headers, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? LARGE_PATH, hub.url);
}

const TOKEN = { authorization: `Bearer ${ACCESS_TOKEN}` };

async function wholeRate(url: URL): Promise<number> {
  const startedAt = performance.now();
  const length = await fetchBytes(url, TOKEN);
  return length / MEBIBYTE / ((performance.now() - startedAt) / 1000);
}

/** Returns ranges per second. */
async function rangeRate(url: URL, { size }: LargeFile, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = count;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const from = Math.floor(Math.random() * (size - RANGE));
        await fetchBytes(url, { ...TOKEN, range: `bytes=${from}-${from + RANGE - 1}` }, agent);
      }
    }),
  );
  agent.destroy();
  return count / ((performance.now() - startedAt) / 1000);
}

async function write(path: string, file: LargeFile): Promise<void> {
  const handle = await open(path, 'w');
  for (const chunk of file.chunks()) await handle.write(chunk);
  await handle.close();
}
