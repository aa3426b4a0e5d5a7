import type { PktReader } from '../../git/index.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { BRANCH, refNameFault, TAG } from '../../repositories/index.ts';
import { linesUpToFlush, textOf } from './protocol.ts';

/** The branches and tags of a remote. */
export interface RemoteRefs {
  /** The object that each ref leads to, for annotated tags that of the tag. */
  readonly refs: ReadonlyMap<string, string>;
  /** The object that HEAD leads to. */
  readonly head: string | undefined;
  /** Refs whose names the hub refuses, each with the reason. */
  readonly unnameable: ReadonlyMap<string, string>;
}

export const MAX_REFS = 5_000;

/** Returns the arguments of `ls-refs`. */
export const refsArguments = (): string[] => [
  'symrefs',
  'ref-prefix HEAD',
  `ref-prefix ${BRANCH}`,
  `ref-prefix ${TAG}`,
];

const LINE = /^(?<id>[0-9a-f]{40}) (?<ref>[^ ]+)/;

/** Reads the answer to `ls-refs`. Throws a `RemoteFault` if it is malformed or has too many refs. */
export async function readRefs(reader: Pick<PktReader, 'next'>): Promise<RemoteRefs> {
  const refs = new Map<string, string>();
  const unnameable = new Map<string, string>();
  let head: string | undefined;
  for await (const line of linesUpToFlush(reader)) {
    // Bytes that are not UTF-8 become U+FFFD, which no name may have.
    const { id, ref } = LINE.exec(textOf(line))?.groups ?? {};
    if (id === undefined || ref === undefined) throw new RemoteFault('The remote lists its refs in a form of its own');
    const prefix = [BRANCH, TAG].find((each) => ref.startsWith(each));
    if (ref === 'HEAD') head = id;
    if (prefix === undefined) continue;
    if (refs.has(ref)) throw new RemoteFault(`The remote lists a ref twice: ${plainText(ref)}`);
    if (refs.size + unnameable.size === MAX_REFS)
      throw new RemoteFault(`The remote has more than ${MAX_REFS} branches and tags, which is the limit`);
    const fault = nameFault(ref.slice(prefix.length));
    if (fault === undefined) refs.set(ref, id);
    else unnameable.set(plainText(ref), fault);
  }
  return { refs, head, unnameable };
}

const MAX_NAME = 255;

function nameFault(name: string): string | undefined {
  if (name.includes('\uFFFD')) return 'its name is not valid UTF-8';
  if (name.length > MAX_NAME) return `its name has more than ${MAX_NAME} characters`;
  const fault = refNameFault(name);
  return fault === undefined ? undefined : `its name ${fault}`;
}
