import { FLUSH, KEEP_ALIVE, pktLine, sideBand } from '../protocol/pkt-line.ts';
import type { PushRequest, RefCommand } from './commands.ts';

/** What became of a push: why its objects were refused, or why each ref was that was. */
export interface PushResult {
  readonly unpackFault: string | undefined;
  readonly faults: ReadonlyMap<string, string>;
}

/** Why a push is refused that does not bring all of its history. */
export const ABSENT = 'the pack refers to objects that neither it nor the repository has';

/** Git shows a reason in one line. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Encodes the response to a push. */
export function encodeReport(request: PushRequest, { unpackFault, faults }: PushResult): Buffer {
  const statusOf = ({ ref }: RefCommand) => {
    const fault = faults.get(ref);
    return fault === undefined ? `ok ${ref}` : `ng ${ref} ${oneLine(fault)}`;
  };
  const lines = [`unpack ${oneLine(unpackFault ?? 'ok')}`, ...request.commands.map(statusOf)];
  const report = request.hasReport
    ? Buffer.concat([...lines.map((line) => pktLine(`${line}\n`)), FLUSH])
    : Buffer.alloc(0);
  return request.hasSideBand ? Buffer.concat([sideBand(1, report), FLUSH]) : report;
}

/** Encodes a text that git shows at the terminal, each line after `remote: `. */
export const encodeNote = ({ hasSideBand }: PushRequest, text: string): Buffer =>
  hasSideBand ? sideBand(2, Buffer.from(text)) : Buffer.alloc(0);

export const keepAliveOf = ({ hasSideBand }: PushRequest): Buffer => (hasSideBand ? KEEP_ALIVE : Buffer.alloc(0));

/** Refuses every ref of a push for one reason. */
export function refuseAll({ commands }: PushRequest, reason: string): PushResult {
  return { unpackFault: undefined, faults: new Map(commands.map(({ ref }) => [ref, reason])) };
}

/** Refuses a push because of its objects; git shows the reason once, and that no ref has moved. */
export function refuseObjects(request: PushRequest, reason: string): PushResult {
  const isCut = request.isShallow && reason.startsWith(ABSENT);
  const advice = isCut ? '. The clone is shallow: `git fetch --unshallow` completes it' : '';
  return { ...refuseAll(request, 'its objects are refused'), unpackFault: reason + advice };
}
