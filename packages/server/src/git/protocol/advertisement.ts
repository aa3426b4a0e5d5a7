import type { StoredRef } from '../../content/index.ts';
import { type ByteText, toByteText } from '../../platform/git/objects/byte-text.ts';
import { MAIN } from '../../repositories/index.ts';
import { FLUSH, pktLine } from './pkt-line.ts';

const OBJECT_FORMAT = 'object-format=sha1';
const NO_OBJECT = '0'.repeat(40);

/** The response to the first request of a fetch with protocol version 2: what the hub supports. */
export const capabilities = (agent: string): Buffer =>
  Buffer.concat([
    ...['version 2', `agent=${agent}`, 'ls-refs=unborn', 'fetch=shallow wait-for-done filter', OBJECT_FORMAT].map(
      (line) => pktLine(`${line}\n`),
    ),
    FLUSH,
  ]);

interface NamedRef extends StoredRef {
  readonly name: ByteText;
}

/** Orders refs by the bytes of their names, as git does. */
const inOrder = (refs: readonly StoredRef[]): NamedRef[] =>
  refs
    .map((each) => ({ ...each, name: toByteText(each.ref) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** The first response to a push, which has no version 2: the refs with what the hub supports. */
export function refsForPush(refs: readonly StoredRef[], agent: string): Buffer {
  const supported = `report-status delete-refs side-band-64k quiet atomic ofs-delta ${OBJECT_FORMAT} agent=${agent}`;
  const [first, ...others] = refs.length === 0 ? [`${NO_OBJECT} capabilities^{}`] : inOrder(refs).map(lineOf);
  return Buffer.concat([
    pktLine('# service=git-receive-pack\n'),
    FLUSH,
    pktLine(`${first}\0${supported}\n`),
    ...others.map((line) => pktLine(`${line}\n`)),
    FLUSH,
  ]);
}

const lineOf = ({ ref, sha, tagId }: StoredRef): string => `${tagId ?? sha} ${ref}`;

export const REFS_OPTIONS = ['peel', 'symrefs', 'unborn'] as const;
export type RefsOption = (typeof REFS_OPTIONS)[number];

/** The arguments of `ls-refs`. */
export interface RefsRequest {
  /** Refs whose names begin with one of these are listed, all if there are none. */
  readonly prefixes: readonly ByteText[];
  readonly options: readonly RefsOption[];
}

/** Returns a function that tells whether a name begins with one of the prefixes. */
function beginsWithOneOf(prefixes: readonly ByteText[]): (name: ByteText) => boolean {
  const shortest: ByteText[] = [];
  for (const prefix of prefixes.toSorted()) {
    const before = shortest.at(-1);
    if (before === undefined || !prefix.startsWith(before)) shortest.push(prefix);
  }
  return (name) => {
    // Only the last prefix in the order before the name can be its own, because none begins with another.
    let [low, high] = [0, shortest.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shortest[middle] ?? '') <= name) low = middle + 1;
      else high = middle;
    }
    const last = shortest[low - 1];
    return last !== undefined && name.startsWith(last);
  };
}

/** The response to `ls-refs` of protocol version 2. */
export function listedRefs(refs: readonly StoredRef[], { prefixes, options }: RefsRequest): Buffer {
  const isWanted = prefixes.length === 0 ? () => true : beginsWithOneOf(prefixes);
  const lines: string[] = [];
  const target = options.includes('symrefs') ? ` symref-target:${MAIN}` : '';
  if (isWanted('HEAD')) {
    const main = refs.find(({ ref }) => ref === MAIN);
    if (main) lines.push(`${main.sha} HEAD${target}`);
    else if (options.includes('unborn')) lines.push(`unborn HEAD${target}`);
  }
  const peel = options.includes('peel');
  for (const each of inOrder(refs))
    if (isWanted(each.name)) lines.push(lineOf(each) + (peel && each.tagId !== null ? ` peeled:${each.sha}` : ''));
  return Buffer.concat([...lines.map((line) => pktLine(`${line}\n`)), FLUSH]);
}
