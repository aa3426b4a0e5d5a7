import type { StoredRef } from '../../content/index.ts';
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

/** Orders refs by the bytes of their names, as git does. */
const byName = (a: StoredRef, b: StoredRef): number => Buffer.compare(Buffer.from(a.ref), Buffer.from(b.ref));

/** The first response to a push, which has no version 2: the refs with what the hub supports. */
export function refsForPush(refs: readonly StoredRef[], agent: string): Buffer {
  const supported = `report-status delete-refs side-band-64k quiet atomic ofs-delta ${OBJECT_FORMAT} agent=${agent}`;
  const [first, ...others] = refs.length === 0 ? [`${NO_OBJECT} capabilities^{}`] : refs.toSorted(byName).map(lineOf);
  return Buffer.concat([
    pktLine('# service=git-receive-pack\n'),
    FLUSH,
    pktLine(`${first}\0${supported}\n`),
    ...others.map((line) => pktLine(`${line}\n`)),
    FLUSH,
  ]);
}

const lineOf = ({ ref, sha, tagId }: StoredRef): string => `${tagId ?? sha} ${ref}`;

interface RefsRequest {
  /** Refs whose names begin with one of these are listed, all if there are none. */
  readonly prefixes: readonly string[];
  readonly peel: boolean;
  readonly symrefs: boolean;
  readonly unborn: boolean;
}

/** The response to `ls-refs` of protocol version 2. */
export function listedRefs(refs: readonly StoredRef[], { prefixes, peel, symrefs, unborn }: RefsRequest): Buffer {
  const isWanted = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const lines: string[] = [];
  const target = symrefs ? ` symref-target:${MAIN}` : '';
  if (isWanted('HEAD')) {
    const main = refs.find(({ ref }) => ref === MAIN);
    if (main) lines.push(`${main.sha} HEAD${target}`);
    else if (unborn) lines.push(`unborn HEAD${target}`);
  }
  for (const each of refs.toSorted(byName))
    if (isWanted(each.ref)) lines.push(lineOf(each) + (peel && each.tagId !== null ? ` peeled:${each.sha}` : ''));
  return Buffer.concat([...lines.map((line) => pktLine(`${line}\n`)), FLUSH]);
}

/** Parses the arguments of `ls-refs`; unknown ones are ignored. */
export function parseRefsRequest(lines: readonly string[]): RefsRequest {
  return {
    prefixes: lines.flatMap((line) => /^ref-prefix (.+)$/.exec(line)?.[1] ?? []),
    peel: lines.includes('peel'),
    symrefs: lines.includes('symrefs'),
    unborn: lines.includes('unborn'),
  };
}
