import * as z from 'zod';
import { checkTarget } from '../platform/outbound/target-url.ts';
import { optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

/** `file:/var/log/audit.jsonl` or an https URL. */
const sink = text.transform((value, context) => {
  const file = /^file:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (file !== undefined) return { file };
  if (value.startsWith('https://') && typeof checkTarget(value) !== 'string') return { url: value };
  context.addIssue({ code: 'custom', message: 'must be file: and a path, or an https URL' });
  return z.NEVER;
});

export const AuditLogSettings = z.object({
  auditSink: secret(
    'MOONBASE_AUDIT_SINK',
    optional(sink),
    '`file:/path` or `https://…`: where a copy of every event of the audit log goes, see [audit-log.md](audit-log.md).',
  ),
  auditLogDays: setting(
    'MOONBASE_AUDIT_LOG_DAYS',
    optional(wholeNumber(36500, 1)),
    'Days for which events of the audit log are kept, see [audit-log.md](audit-log.md#pruning).',
    'none: for ever',
  ),
  geoipDatabase: setting(
    'MOONBASE_GEOIP_DATABASE',
    optional(text),
    'A MaxMind database file (`.mmdb`) of cities or countries; without it events of the audit log have no `location`.',
  ),
});
