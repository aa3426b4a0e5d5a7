import { Readable } from 'node:stream';
import { badRequest } from '../../platform/http/errors.ts';
import { createPktReader } from './pkt-line.ts';

/** A request of a fetch: what is asked for in version 2, and the objects that are wanted. */
export interface FetchRequest {
  readonly lists: boolean;
  readonly lines: readonly string[];
  readonly wants: readonly string[];
}

const COMMANDS: ReadonlySet<string | undefined> = new Set(['command=ls-refs', 'command=fetch']);
const WANT = /^want ([0-9a-f]{40})/;

/** Parses a whole request. Throws 400 if it is malformed, or of version 2 without a known command. */
export async function parseFetchRequest(input: Buffer, isVersion2: boolean): Promise<FetchRequest> {
  const reader = createPktReader(Readable.from([input]), Number.POSITIVE_INFINITY);
  const lines: string[] = [];
  for (let line = await reader.next(); line !== undefined; line = await reader.next())
    if (line instanceof Buffer) lines.push(line.toString('latin1').replace(/\n$/, ''));
  if (isVersion2 && !COMMANDS.has(lines[0])) throw badRequest('The command must be ls-refs or fetch');
  return {
    lists: isVersion2 && lines[0] === 'command=ls-refs',
    lines,
    wants: lines.flatMap((line) => WANT.exec(line)?.[1] ?? []),
  };
}
