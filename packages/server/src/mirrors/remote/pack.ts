import type { PktReader } from '../../git/index.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { endedEarly, textOf } from './protocol.ts';

interface Limits {
  /** The maximum size of what is not part of the pack. */
  readonly maxChatterBytes: number;
  /** The longest wait for the pack to begin. */
  readonly prepareMs: number;
}

type Lines = Pick<PktReader, 'next'>;

/** The objects that a request of `fetch` asks for, and those that the hub has. */
export interface Wanted {
  readonly wants: readonly string[];
  readonly haves: readonly string[];
}

/** Returns the arguments of `fetch`. */
export const fetchArguments = ({ wants, haves }: Wanted): string[] => [
  ...['thin-pack', 'no-progress', 'ofs-delta'],
  ...wants.map((id) => `want ${id}`),
  ...haves.map((id) => `have ${id}`),
  'done',
];

/** Reads up to the pack. Throws a `RemoteFault` if there is none. */
async function readSections(lines: Lines): Promise<void> {
  for (let line = await lines.next(); ; line = await lines.next()) {
    if (line === undefined || line === 'flush') throw endedEarly();
    if (!(line instanceof Buffer)) continue;
    const text = textOf(line);
    if (text === 'packfile') return;
    if (text.startsWith('shallow '))
      throw new RemoteFault('The remote has only the end of its history (a shallow clone)');
  }
}

const [DATA, PROGRESS, FAILURE] = [1, 2, 3];

/** Yields the bytes of the pack in an answer to `fetch`. Throws a `RemoteFault` if it breaks off or has an error. */
export async function* packIn(lines: Lines, { maxChatterBytes, prepareMs }: Limits): AsyncGenerator<Buffer, void> {
  await readSections(lines);
  const beginsBy = performance.now() + prepareMs;
  let chatter = 0;
  let hasBegun = false;
  for (let line = await lines.next(); line !== 'flush'; line = await lines.next()) {
    if (!(line instanceof Buffer)) throw endedEarly();
    const band = line[0];
    const content = line.subarray(1);
    if (band === DATA && content.length > 0) {
      hasBegun = true;
      yield content;
      continue;
    }
    if (band === FAILURE) throw new RemoteFault(`The remote says: ${plainText(content)}`);
    if (band !== DATA && band !== PROGRESS) throw new RemoteFault('The remote sends a pack in a form of its own');
    chatter += line.length;
    if (chatter > maxChatterBytes) throw new RemoteFault('The remote sends messages without end');
    if (!hasBegun && performance.now() > beginsBy)
      throw new RemoteFault(`The remote sent no objects for ${Math.round(prepareMs / 1000)} s`);
  }
}
