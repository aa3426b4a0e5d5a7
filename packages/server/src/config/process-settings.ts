import * as z from 'zod';
import { LOG_FORMATS, LOG_LEVELS } from '../platform/logger.ts';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

const listenHost = text.refine(
  (host) => !/[/@]|^[^:]*:\d+$/.test(host),
  'must be an address or a name without scheme and port, such as 0.0.0.0; the port is MOONBASE_PORT',
);

export const ProcessSettings = z.object({
  role: setting(
    'MOONBASE_ROLE',
    z.enum(['all', 'api', 'worker']).prefault('all'),
    'Role of this process when several share one PostgreSQL: `api` answers requests, `worker` does the background work, `all` does both. `api` and `worker` need `MOONBASE_DATABASE_URL`. See [replicas.md](replicas.md).',
  ),
  host: setting('MOONBASE_HOST', listenHost.prefault('127.0.0.1'), 'Address to listen on.'),
  port: setting('MOONBASE_PORT', wholeNumber(65535).prefault('7780'), 'Port to listen on; `0` takes any free one.'),
  publicUrl: setting(
    'MOONBASE_PUBLIC_URL',
    optional(
      z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL, such as https://hub.example.com' })
        .refine((url) => !/[?#@]/.test(url), 'must have no user, query or fragment')
        .transform((url) => url.replace(/\/+$/, '')),
    ),
    'Public address of the hub, such as `https://hub.example.com`; the base of every URL in its responses.',
    'the `Host` of each request',
  ),
  drainSeconds: setting(
    'MOONBASE_DRAIN_SECONDS',
    wholeNumber(600).prefault('0'),
    'After a signal to stop, seconds for which the process reports that it is not ready and still answers requests, so that a load balancer can notice. See [replicas.md](replicas.md).',
  ),
  adminToken: secret(
    'MOONBASE_ADMIN_TOKEN',
    optional(text.regex(/^hf_[0-9A-Za-z]{8,}$/, 'must be hf_ and at least 8 letters or digits')),
    'Access token (`hf_…`) of the first site administrator, the user `admin`: `hf_` and at least 32 random letters and digits; shorter ones are accepted in development mode only, with a warning. Used while there is no site administrator; later the hub says at its start if it is none of one.',
    'generated and printed once',
  ),
  logLevel: setting(
    'MOONBASE_LOG_LEVEL',
    z.enum(LOG_LEVELS).prefault('info'),
    `Level from which on events are written to the log, on standard error: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. See [logs.md](logs.md).`,
  ),
  logFormat: setting(
    'MOONBASE_LOG_FORMAT',
    optional(z.enum(LOG_FORMATS)),
    'Form of the log: `json`, one JSON object per line, or `text` for people.',
    '`text` on a terminal, else `json`',
  ),
  accessLog: setting(
    'MOONBASE_ACCESS_LOG',
    flag.prefault('true'),
    'Whether the log has a line for each request, at the level `info`. See [logs.md](logs.md#requests).',
  ),
});
