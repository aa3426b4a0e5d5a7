import { badRequest } from '../../platform/http/errors.ts';
import type { PktReader } from '../protocol/pkt-line.ts';

/** One line of a push: a ref and its object before and after; null means that there is none. */
export interface RefCommand {
  readonly ref: string;
  readonly oldId: string | null;
  readonly newId: string | null;
}

export interface PushRequest {
  readonly commands: readonly RefCommand[];
  readonly isAtomic: boolean;
  /** Whether the history of the client's clone ends before its beginning. */
  readonly isShallow: boolean;
  readonly hasReport: boolean;
  readonly hasSideBand: boolean;
}

/** The maximum size of the commands of a push, about 30,000 refs. */
export const MAX_COMMAND_BYTES = 4 * 1024 * 1024;

const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/;
const NO_OBJECT = '0'.repeat(40);

/**
 * Reads the commands of a push, up to its pack. Returns undefined for a probe, which git sends before a large push.
 * Throws 400 if they are malformed.
 */
export async function readCommands(reader: PktReader): Promise<PushRequest | undefined> {
  const commands: RefCommand[] = [];
  let supported: ReadonlySet<string> = new Set();
  let isShallow = false;
  for (let line = await reader.next(); line !== 'flush'; line = await reader.next()) {
    if (!(line instanceof Buffer)) throw badRequest('The commands of a push end without a flush');
    const nul = line.indexOf(0);
    if (nul >= 0)
      supported = new Set(
        line
          .toString('latin1', nul + 1)
          .trim()
          .split(' '),
      );
    const text = textOf(nul >= 0 ? line.subarray(0, nul) : line);
    // The commits at which the history of a shallow clone ends; the hub has their parents, or refuses the push.
    if (text.startsWith('shallow ')) {
      isShallow = true;
      continue;
    }
    if (text.startsWith('push-cert')) throw badRequest('Signed pushes are not supported');
    const [, oldId = '', newId = '', ref = ''] = COMMAND.exec(text) ?? [];
    if (ref === '') throw badRequest('A command of a push is malformed');
    commands.push({ ref, oldId: idOrNull(oldId), newId: idOrNull(newId) });
  }
  if (commands.length === 0) return undefined;
  if (new Set(commands.map(({ ref }) => ref)).size < commands.length) throw badRequest('A push names a ref twice');
  return {
    commands,
    isAtomic: supported.has('atomic'),
    isShallow,
    hasReport: supported.has('report-status'),
    hasSideBand: supported.has('side-band-64k'),
  };
}

const idOrNull = (id: string): string | null => (id === NO_OBJECT ? null : id);

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\n$/, '');
  } catch {
    throw badRequest('The name of a ref is not valid UTF-8');
  }
}
