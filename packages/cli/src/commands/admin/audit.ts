import { getAuditLogHead } from '@moonbase/client/audit-log';
import { exportAudit, verifyAudit } from '../../audit.ts';
import { command, group } from '../../program/command.ts';
import { argument, flag, text } from '../../program/parameter.ts';

const exporting = command({
  name: 'export',
  summary: 'write the audit log of an organization as JSON, newest first',
  args: { organization: argument('its name') },
  options: {
    query: text('terms', 'only what fits, as in "author:ada type:repo.*"', { short: 'q' }),
    output: text('path', 'write to a file instead of standard output', { short: 'o' }),
  },
  run: ({ hub, args, options, terminal }) =>
    exportAudit(hub, { name: args.organization, q: options.query, output: options.output }, terminal),
});

const head = command({
  name: 'head',
  summary: 'print the hash of the last event, to verify later exports against',
  args: { organization: argument('its name') },
  run: ({ hub, args }) => getAuditLogHead({ ...hub, name: args.organization }),
  say: ({ last }) => (last ? `${last.hash}\n` : 'Nothing is recorded.\n'),
});

const verify = command({
  name: 'verify',
  summary: 'check that an export is consistent and, with --head, that nothing was changed; asks no hub',
  args: { file: argument('what `audit export` wrote; - reads standard input') },
  options: {
    head: text('hash', 'the hash of an event that was noted before, and has to be there'),
    pruned: flag('the log may begin later than with its first event, as the hub prunes it by age'),
  },
  async run({ args, options, terminal, json, end }) {
    end(await verifyAudit({ file: args.file, head: options.head, pruned: options.pruned === true, json }, terminal));
  },
});

export const audit = group('audit', 'export and verify audit logs of organizations', [exporting, head, verify]);
