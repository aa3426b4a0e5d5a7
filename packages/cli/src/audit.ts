import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { downloadAuditLog } from '@moonbase/client/audit-log';
import type { Hub } from '@moonbase/client/request';
import { type Intact, verifyExport } from './audit-verify.ts';
import { reasonOf, UsageError } from './program/failure.ts';
import { readText } from './terminal/asking.ts';
import { jsonText } from './terminal/table.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `moonbase audit export`: writes the log of an organization, or of the hub, as a JSON array to a file or standard output. */
export async function exportAudit(
  hub: Hub,
  options: { name: string | undefined; q?: string | undefined; output?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { text: body } = await downloadAuditLog({ ...hub, name: options.name, q: options.q });
  const { output } = options;
  if (output === undefined) {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) terminal.out(piece);
    terminal.out('\n');
    return;
  }
  const file = createWriteStream(output, { mode: 0o600 });
  await pipeline(body, file).catch((error: unknown) => {
    throw file.errored === error ? new UsageError(`Cannot write ${output}: ${reasonOf(error)}`) : error;
  });
}

/** `moonbase audit verify`: prints what an export proves, without a hub. Returns the exit status. */
export async function verifyAudit(
  options: { file: string; head?: string | undefined; pruned: boolean; json: boolean },
  terminal: Terminal,
): Promise<0 | 1> {
  const { file, head, pruned } = options;
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new UsageError('--head must be a hash: 64 hexadecimal digits');
  const verdict = verifyExport(parseExport(await readText(file, terminal)), head, pruned);
  if (options.json) terminal.out(jsonText(verdict));
  else if ('events' in verdict) terminal.out(intactText(verdict));
  else terminal.err(brokenText(verdict.faults));
  return verdict.faults.length === 0 ? 0 : 1;
}

/** Parses an export; returns undefined for invalid JSON, which the verdict then reports. */
function parseExport(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function intactText({ events, first, last, proved, later, partlyHashed }: Intact): string {
  if (events === 0) return 'No events.\n';
  const lines =
    proved === null
      ? [
          `Events ${first} to ${last}: the file is consistent with itself.`,
          'This does not prove that nothing was changed: a log that was rewritten completely, or truncated, is also consistent.',
          'To prove it, pass to --head a hash that "moonbase audit head" printed earlier and that nobody could change since.',
        ]
      : [
          `Events ${first} to ${proved}: nothing was changed.`,
          ...(later > 0 ? [`The last ${later} came after the given head: they are only proved to be consistent.`] : []),
        ];
  if (partlyHashed !== null)
    lines.push(
      `For events up to ${partlyHashed}, recorded by an older version, userAgent, location, and role and last4 of the token are not proved.`,
    );
  return [...lines, ''].join('\n');
}

const MAX_FAULTS = 20;

function brokenText(faults: readonly string[]): string {
  const rest = faults.length - MAX_FAULTS;
  return [
    'The file differs from what the hub wrote:',
    ...faults.slice(0, MAX_FAULTS).map((fault) => `  ${fault}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    'An export filtered with q cannot be verified: export the whole log.',
    'If the hub prunes its log by age, use --pruned to accept a log without its first events.',
    '',
  ].join('\n');
}
