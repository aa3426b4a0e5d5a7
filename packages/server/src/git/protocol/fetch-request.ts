import { Readable } from 'node:stream';
import { createPause } from '../../platform/cooperative.ts';
import type { ByteText } from '../../platform/git/objects/byte-text.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { REFS_OPTIONS, type RefsOption, type RefsRequest } from './advertisement.ts';
import { createPktReader } from './pkt-line.ts';

/** A request of a fetch. */
export interface FetchRequest {
  /** Which refs to list, if version 2 of the protocol asks for that. */
  readonly list: RefsRequest | undefined;
  /** The objects that are wanted. */
  readonly wants: readonly string[];
}

const LIST = 'command=ls-refs';
const COMMANDS: ReadonlySet<string | undefined> = new Set([LIST, 'command=fetch']);
const WANT = /^want ([0-9a-f]{40})/;
const PREFIX = 'ref-prefix ';
/** With as many prefixes git lists all refs. */
const TOO_MANY_PREFIXES = 65_536;
const NEWLINE = 0x0a;

/** Parses a whole request. Throws 400 if it is malformed, or of version 2 without a known command. */
export async function parseFetchRequest(input: Buffer, isVersion2: boolean): Promise<FetchRequest> {
  const reader = createPktReader(Readable.from([input]), Number.POSITIVE_INFINITY);
  const pause = createPause();
  const wants: string[] = [];
  const prefixes: ByteText[] = [];
  const options: RefsOption[] = [];
  let first: string | undefined;
  for (let line = await reader.next(); line !== undefined; line = await reader.next()) {
    const waiting = pause();
    if (waiting) await waiting;
    if (!(line instanceof Buffer)) continue;
    const text = line.toString('latin1', 0, line.at(-1) === NEWLINE ? line.length - 1 : line.length);
    first ??= text;
    const want = WANT.exec(text)?.[1];
    if (want !== undefined) wants.push(want);
    else if (text.startsWith(PREFIX)) {
      if (prefixes.length < TOO_MANY_PREFIXES) prefixes.push(text.slice(PREFIX.length));
    } else options.push(...REFS_OPTIONS.filter((option) => option === text && !options.includes(option)));
  }
  if (isVersion2 && !COMMANDS.has(first)) throw badRequest('The command must be ls-refs or fetch');
  if (!isVersion2 || first !== LIST) return { list: undefined, wants };
  return { list: { prefixes: prefixes.length < TOO_MANY_PREFIXES ? prefixes : [], options }, wants };
}
