import { getAuditLogHead, getSiteAuditLogHead } from '@moonbase/client/audit-log';
import { exportAudit, verifyAudit } from '../../audit.ts';
import { command, group } from '../../program/command.ts';
import { argument, flag, optionalArgument, text } from '../../program/parameter.ts';

const organization = optionalArgument(
  'name of the organization; without it, the log of the hub: what was done outside of organizations, for site administrators',
);

const exporting = command({
  name: 'export',
  summary: 'write the audit log of an organization or of the hub as JSON, newest first',
  args: { organization },
  options: {
    query: text('terms', 'only matching events, as in "author:ada type:repo.*"', { short: 'q' }),
    output: text('path', 'write to a file instead of standard output', { short: 'o' }),
  },
  run: ({ hub, args, options, terminal }) =>
    exportAudit(hub, { name: args.organization, q: options.query, output: options.output }, terminal),
});

const head = command({
  name: 'head',
  summary: 'print the hash of the last event, for verifying later exports',
  args: { organization },
  run: ({ hub, args: { organization: name } }) =>
    name === undefined ? getSiteAuditLogHead(hub) : getAuditLogHead({ ...hub, name }),
  say: ({ last }) => (last ? `${last.hash}\n` : 'The audit log is empty.\n'),
});

const verify = command({
  name: 'verify',
  summary: 'check offline that an export is consistent and, with --head, that nothing was changed',
  args: { file: argument('a file written by `audit export`; - reads standard input') },
  options: {
    head: text('hash', 'a previously noted hash of an event, which the export must contain'),
    pruned: flag('accept a log without its first events, which the hub has pruned by age'),
  },
  async run({ args, options, terminal, json, end }) {
    end(await verifyAudit({ file: args.file, head: options.head, pruned: options.pruned === true, json }, terminal));
  },
});

export const audit = group('audit', 'export and verify audit logs of organizations and of the hub', [
  exporting,
  head,
  verify,
]);
