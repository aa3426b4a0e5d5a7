import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from '../child.ts';
import type { BenchHub } from '../hub.ts';
import { peakMegabytes, resetPeak, residentMegabytes } from '../memory.ts';
import type { Scale } from '../scale.ts';
import { type Figure, ratio } from '../stats.ts';
import { largeFile, put, uploadUrl } from './large-file.ts';

const REPO = 'admin/uploads';

/** Measures uploads of a large file against a bare server that hashes and writes the same bytes. */
export async function uploads(hub: BenchHub, { contentMebibytes, rounds }: Scale): Promise<Figure[]> {
  await createRepo({ ...hub.connection, type: 'model', repo: REPO });
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-put-'));
  try {
    await using bare = startChild('content/bare-files.ts', [join(folder, 'file')]);
    const url = await nextLine(bare);
    const before = await residentMegabytes(hub.pid);
    await resetPeak(hub.pid);
    const pairs: [number, number][] = [];
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      const file = largeFile(contentMebibytes);
      pairs.push([await put(await uploadUrl(hub, REPO, file), file), await put(url, file)]);
    }
    const grown = Math.max(0, (await peakMegabytes(hub.pid)) - before);
    const name = `an upload of ${contentMebibytes.toLocaleString('en')} MiB`;
    return [
      {
        name: `${name}, to a bare server that hashes and writes it`,
        ...{ value: ratio(pairs), unit: 'ratio', bound: { atLeast: 0.8 }, rounds: pairs },
      },
      { name: `${name}: memory taken for it, at most`, value: grown, unit: 'MB', bound: { atMost: 60 } },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
