import { z } from 'zod';
import { IN_MEMORY } from './platform/database/sqlite.ts';
import { parseQuotas, type Quotas } from './platform/limits/quotas.ts';
import { LOG_LEVELS } from './platform/logger.ts';
import { smtpUrlFault } from './platform/mail/smtp.ts';
import type { MailAddress } from './platform/mail/transport.ts';
import { parseCidr } from './platform/outbound/address-guard.ts';
import { checkTarget } from './platform/outbound/target-url.ts';
import { isWeakToken, STRONG_TOKEN } from './platform/weak-tokens.ts';

/** The default waits between attempts: 8 attempts in all, over 27.6 hours. */
const RETRY_SCHEDULE = '5,300,1800,7200,18000,36000,36000';

const text = z.string().trim().min(1);
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');
const cidrs = text
  .transform((value) => value.split(',').map((part) => part.trim()))
  .superRefine((list, context) => {
    for (const cidr of list) {
      try {
        parseCidr(cidr);
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is no CIDR' });
      }
    }
  });
const quotas = text.transform((value, context) => {
  try {
    return parseQuotas(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is no quota' });
    return z.NEVER;
  }
});
const wholeNumber = (max: number, min = 0) =>
  text
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const smtpUrl = text.superRefine((url, context) => {
  const fault = smtpUrlFault(url);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

/** `hub@example.com` or `Moonbase <hub@example.com>`. */
const sender = text.transform((value, context): MailAddress => {
  const [, name = '', address = ''] = /^(?:"?([^"<>,\p{Cc}]*?)"? *<)?([^\s<>,]+@[^\s<>,]+?)>?$/u.exec(value) ?? [];
  if (z.email().safeParse(address).success && value.includes('<') === value.endsWith('>')) return { name, address };
  context.addIssue({ code: 'custom', message: 'must be an address, as in Moonbase <hub@example.com>' });
  return z.NEVER;
});

/** `file:/var/log/audit.jsonl` or an https address. */
const sink = text.transform((value, context) => {
  const file = /^file:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (file !== undefined) return { file };
  if (value.startsWith('https://') && typeof checkTarget(value) !== 'string') return { url: value };
  context.addIssue({ code: 'custom', message: 'must be file: and a path, or an https URL' });
  return z.NEVER;
});

const DOCKER_SOCKET = 'unix:///var/run/docker.sock';
const dockerUrl = text.regex(
  /^(unix:\/\/\/.+|(tcp|https?):\/\/[^/@?#\s]+\/?)$/,
  'must be unix:///path, or tcp://, http:// or https:// with host and port',
);
/** References of images, of which the last part may be `*`. */
const images = text
  .regex(/^[^,\s]+( *, *[^,\s]+)*$/, 'must be references of images, separated by commas')
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((patterns) => patterns.every((each) => /^(\*|[a-zA-Z0-9][\w.:@/-]*(\/\*)?)$/.test(each)), {
    error: 'must be references of images, as in python, python:3.12, ghcr.io/acme/* or *',
  });

/** What a process does: it answers requests, works in the background, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;

/** Every setting: its name in the environment, its form and its default. */
const Environment = z.object({
  MOONBASE_ROLE: z.enum(ROLES).default('all'),
  MOONBASE_HOST: text.default('127.0.0.1'),
  MOONBASE_PORT: wholeNumber(65535).default(7780),
  MOONBASE_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  MOONBASE_DRAIN_SECONDS: wholeNumber(600).default(0),
  MOONBASE_DATA_DIR: text.default('./data'),
  MOONBASE_DATABASE_URL: text.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://').optional(),
  MOONBASE_ADMIN_TOKEN: text.regex(/^hf_[0-9A-Za-z]{8,}$/, 'must be hf_ and at least 8 letters or digits').optional(),
  MOONBASE_SECRET_KEY: text.min(32, 'must have 32 characters or more').optional(),
  MOONBASE_SECRET_KEY_OLD: text.min(32, 'must have 32 characters or more').optional(),
  MOONBASE_OUTBOUND_ALLOW: cidrs.default([]),
  MOONBASE_TRUSTED_PROXIES: cidrs.default([]),
  MOONBASE_RATE_LIMITS: quotas.optional(),
  MOONBASE_LENIENT_WEBHOOKS: flag.default(false),
  MOONBASE_WEBHOOK_RETRY_SCHEDULE: text
    .regex(/^\d{1,7}(,\d{1,7})*$/, 'must be seconds, separated by commas')
    .default(RETRY_SCHEDULE)
    .transform((value) => value.split(',').map(Number)),
  MOONBASE_WEBHOOK_DAILY_LIMIT: wholeNumber(1_000_000_000).optional(),
  MOONBASE_WEBHOOK_LOG_DAYS: wholeNumber(3650, 1).default(30),
  MOONBASE_NOTIFICATION_DAYS: wholeNumber(3650, 1).default(365),
  MOONBASE_MAX_WEBHOOKS: wholeNumber(10_000, 1).default(100),
  MOONBASE_MAX_WATCHED: wholeNumber(10_000, 1).default(1000),
  MOONBASE_JOBS_RUNNER: z.enum(['process', 'docker', 'kubernetes', 'none']).default('none'),
  MOONBASE_JOB_IMAGES: images.default([]),
  MOONBASE_JOB_VOLUMES_DIR: text.regex(/^\//, 'must be an absolute path').optional(),
  MOONBASE_DOCKER_URL: dockerUrl.optional(),
  MOONBASE_DOCKER_CERT_PATH: text.optional(),
  MOONBASE_DOCKER_NETWORK: text
    .regex(/^(?!host$)[a-zA-Z0-9][\w.-]*$/, 'must be none or the name of a network, and not host')
    .default('none'),
  MOONBASE_DOCKER_READ_ONLY_ROOT: flag.default(false),
  MOONBASE_DOCKER_PIDS_LIMIT: wholeNumber(4_194_304, 1).default(1024),
  MOONBASE_KUBERNETES: text.optional(),
  MOONBASE_MAX_RUNNING_JOBS: wholeNumber(10_000, 1).default(16),
  MOONBASE_MAX_RUNNING_JOBS_PER_OWNER: wholeNumber(10_000, 1).default(8),
  MOONBASE_JOB_MAX_TIMEOUT: wholeNumber(365 * 86_400, 1).default(7 * 86_400),
  MOONBASE_JOB_MAX_ATTEMPTS: wholeNumber(1000, 1).default(10),
  MOONBASE_JOB_LOG_MIB: wholeNumber(1024, 1).default(10),
  MOONBASE_JOB_DAYS: wholeNumber(3650, 1).default(30),
  MOONBASE_SMTP_URL: smtpUrl.optional(),
  MOONBASE_MAIL_FROM: sender.optional(),
  MOONBASE_MAIL_QUIET_SECONDS: wholeNumber(86_400).default(60),
  MOONBASE_AUDIT_SINK: sink.optional(),
  MOONBASE_AUDIT_LOG_DAYS: wholeNumber(36500, 1).optional(),
  MOONBASE_GEOIP_DATABASE: text.optional(),
  MOONBASE_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
});

/** Names that belong to the command line, not to the hub. */
const FOREIGN = new Set(['MOONBASE_URL', 'MOONBASE_TOKEN']);

export interface Config {
  readonly role: (typeof ROLES)[number];
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  /** How long it serves on after it was told to end, not ready. */
  readonly drainSeconds: number;
  /** The data folder, or `:memory:`. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly adminToken: string | undefined;
  readonly secretKey: string | undefined;
  /** Opens what was sealed with it, and seals nothing. */
  readonly secretKeyOld: string | undefined;
  readonly outboundAllow: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Undefined: no request is counted. */
  readonly rateLimits: Quotas | undefined;
  readonly lenientWebhooks: boolean;
  /** Waits before the second and each further attempt, in seconds. */
  readonly webhookRetrySchedule: readonly number[];
  /** Triggers per webhook in any 24 hours; undefined: no limit. */
  readonly webhookDailyLimit: number | undefined;
  /** How long the delivery log is kept. */
  readonly webhookLogDays: number;
  /** How long notifications without news are kept. */
  readonly notificationDays: number;
  /** Webhooks a user. */
  readonly maxWebhooks: number;
  /** Watched items a webhook. */
  readonly maxWatched: number;
  readonly jobs: JobsConfig;
  /** Undefined: no mail is sent. */
  readonly mail: MailConfig | undefined;
  /** Where the audit log is copied to. */
  readonly auditSink: { readonly file: string } | { readonly url: string } | undefined;
  /** How long the audit log is kept; undefined: for ever. */
  readonly auditLogDays: number | undefined;
  /** A MaxMind database file that says where addresses are. */
  readonly geoipDatabase: string | undefined;
  /** Where traces are sent; undefined: nowhere. */
  readonly tracesUrl: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Only this machine can reach the hub, and no proxy: loopback targets are admitted, foreign hosts refused. */
  readonly developmentMode: boolean;
  /** What the operator should know about the environment. */
  readonly warnings: readonly string[];
}

export interface JobsConfig {
  readonly runner: 'process' | 'docker' | 'kubernetes' | 'none';
  /** Patterns of images that may be run. */
  readonly images: readonly string[];
  /** Where buckets and repositories are that jobs mount. */
  readonly volumesDir: string | undefined;
  readonly docker: DockerConfig;
  /** For the runner `kubernetes`: a JSON document, or the path of one. */
  readonly kubernetes: string | undefined;
  /** Jobs that run at the same time. */
  readonly maxRunning: number;
  readonly maxRunningPerOwner: number;
  readonly maxTimeoutSeconds: number;
  readonly maxAttempts: number;
  /** Of one job. */
  readonly logMebibytes: number;
  /** For how long jobs that have ended keep their logs. */
  readonly days: number;
}

export interface DockerConfig {
  readonly url: string;
  /** A folder with `ca.pem`, `cert.pem` and `key.pem`. */
  readonly certificates: string | undefined;
  readonly network: string;
  readonly readOnlyRoot: boolean;
  readonly pidsLimit: number;
}

export interface MailConfig {
  /** With the credentials, if any: never logged. */
  readonly smtpUrl: string;
  readonly from: MailAddress;
  /** How long a mail about a thread waits for more. */
  readonly quietMs: number;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Reads the settings, once. Throws one error that names each wrong one and what it must be. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.entries(environment).filter(([name, value]) => name.startsWith('MOONBASE_') && value !== '');
  const result = Environment.safeParse(Object.fromEntries(given));
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The settings are wrong:\n${faults.join('\n')}`);
  }
  const env = result.data;
  if (env.MOONBASE_DATABASE_URL && !env.MOONBASE_SECRET_KEY)
    throw new Error('The settings are wrong:\n  MOONBASE_SECRET_KEY: must be set together with MOONBASE_DATABASE_URL');
  if (env.MOONBASE_ROLE !== 'all' && env.MOONBASE_DATABASE_URL === undefined)
    throw new Error('The settings are wrong:\n  MOONBASE_ROLE: api and worker need MOONBASE_DATABASE_URL');
  if (env.MOONBASE_SECRET_KEY_OLD && !env.MOONBASE_SECRET_KEY)
    throw new Error(
      'The settings are wrong:\n  MOONBASE_SECRET_KEY: must be set together with MOONBASE_SECRET_KEY_OLD',
    );
  const { MOONBASE_SMTP_URL: smtpUrl, MOONBASE_MAIL_FROM: from } = env;
  if (smtpUrl !== undefined && from === undefined)
    throw new Error('The settings are wrong:\n  MOONBASE_MAIL_FROM: must be set together with MOONBASE_SMTP_URL');
  const publicHost = env.MOONBASE_PUBLIC_URL && new URL(env.MOONBASE_PUBLIC_URL).hostname;
  const developmentMode =
    LOOPBACK.test(env.MOONBASE_HOST) &&
    (publicHost === undefined || LOOPBACK.test(publicHost)) &&
    env.MOONBASE_TRUSTED_PROXIES.length === 0;
  if (env.MOONBASE_ADMIN_TOKEN && isWeakToken(env.MOONBASE_ADMIN_TOKEN) && !developmentMode)
    throw new Error(
      `The settings are wrong:\n  MOONBASE_ADMIN_TOKEN: must be ${STRONG_TOKEN} outside of development mode`,
    );
  if (env.MOONBASE_JOBS_RUNNER === 'process' && !developmentMode)
    throw new Error('The settings are wrong:\n  MOONBASE_JOBS_RUNNER: process is for development mode only');
  if (env.MOONBASE_JOBS_RUNNER === 'docker' && env.MOONBASE_JOB_IMAGES.length === 0)
    throw new Error('The settings are wrong:\n  MOONBASE_JOB_IMAGES: must be set together with the runner docker');
  if (env.MOONBASE_JOBS_RUNNER === 'kubernetes' && env.MOONBASE_KUBERNETES === undefined)
    throw new Error('The settings are wrong:\n  MOONBASE_KUBERNETES: must be set for the runner kubernetes');
  return Object.freeze({
    role: env.MOONBASE_ROLE,
    host: env.MOONBASE_HOST,
    port: env.MOONBASE_PORT,
    publicUrl: env.MOONBASE_PUBLIC_URL,
    drainSeconds: env.MOONBASE_DRAIN_SECONDS,
    dataDir: env.MOONBASE_DATA_DIR,
    databaseUrl: env.MOONBASE_DATABASE_URL,
    adminToken: env.MOONBASE_ADMIN_TOKEN,
    secretKey: env.MOONBASE_SECRET_KEY,
    secretKeyOld: env.MOONBASE_SECRET_KEY_OLD,
    outboundAllow: env.MOONBASE_OUTBOUND_ALLOW,
    trustedProxies: env.MOONBASE_TRUSTED_PROXIES,
    rateLimits: env.MOONBASE_RATE_LIMITS,
    lenientWebhooks: env.MOONBASE_LENIENT_WEBHOOKS,
    webhookRetrySchedule: env.MOONBASE_WEBHOOK_RETRY_SCHEDULE,
    webhookDailyLimit: env.MOONBASE_WEBHOOK_DAILY_LIMIT,
    webhookLogDays: env.MOONBASE_WEBHOOK_LOG_DAYS,
    notificationDays: env.MOONBASE_NOTIFICATION_DAYS,
    maxWebhooks: env.MOONBASE_MAX_WEBHOOKS,
    maxWatched: env.MOONBASE_MAX_WATCHED,
    jobs: {
      runner: env.MOONBASE_JOBS_RUNNER,
      images: env.MOONBASE_JOB_IMAGES,
      volumesDir: env.MOONBASE_JOB_VOLUMES_DIR,
      docker: dockerOf(env, environment),
      kubernetes: env.MOONBASE_KUBERNETES,
      maxRunning: env.MOONBASE_MAX_RUNNING_JOBS,
      maxRunningPerOwner: env.MOONBASE_MAX_RUNNING_JOBS_PER_OWNER,
      maxTimeoutSeconds: env.MOONBASE_JOB_MAX_TIMEOUT,
      maxAttempts: env.MOONBASE_JOB_MAX_ATTEMPTS,
      logMebibytes: env.MOONBASE_JOB_LOG_MIB,
      days: env.MOONBASE_JOB_DAYS,
    },
    mail: smtpUrl && from ? { smtpUrl, from, quietMs: env.MOONBASE_MAIL_QUIET_SECONDS * 1000 } : undefined,
    auditSink: env.MOONBASE_AUDIT_SINK,
    auditLogDays: env.MOONBASE_AUDIT_LOG_DAYS,
    geoipDatabase: env.MOONBASE_GEOIP_DATABASE,
    tracesUrl: tracesUrlOf(environment),
    logLevel: env.MOONBASE_LOG_LEVEL,
    developmentMode,
    warnings: warningsAbout(
      given.map(([name]) => name),
      env,
    ),
  });
}

/** What is not set here is where other clients of the engine find it. */
function dockerOf(
  env: z.output<typeof Environment>,
  { DOCKER_HOST, DOCKER_CERT_PATH }: Readonly<Record<string, string | undefined>>,
): DockerConfig {
  const inherited = dockerUrl.safeParse(DOCKER_HOST).data;
  return {
    url: env.MOONBASE_DOCKER_URL ?? inherited ?? DOCKER_SOCKET,
    certificates:
      env.MOONBASE_DOCKER_CERT_PATH ?? (env.MOONBASE_DOCKER_URL ? undefined : DOCKER_CERT_PATH || undefined),
    network: env.MOONBASE_DOCKER_NETWORK,
    readOnlyRoot: env.MOONBASE_DOCKER_READ_ONLY_ROOT,
    pidsLimit: env.MOONBASE_DOCKER_PIDS_LIMIT,
  };
}

/** The variables of OpenTelemetry; what else it knows the SDK reads itself. */
function tracesUrlOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = environment;
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const url = whole || (base && `${base.replace(/\/+$/, '')}/v1/traces`) || undefined;
  if (url === undefined || z.url({ protocol: /^https?$/ }).safeParse(url).success) return url;
  throw new Error('The settings are wrong:\n  OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https URL');
}

function warningsAbout(names: readonly string[], env: z.output<typeof Environment>): string[] {
  const unknown = names.filter((name) => !(name in Environment.shape) && !FOREIGN.has(name));
  return [
    ...unknown.map((name) => `${name} is no setting of this version and has no effect`),
    ...(env.MOONBASE_DATA_DIR === IN_MEMORY ? ['Nothing is kept: MOONBASE_DATA_DIR is :memory:'] : []),
    ...(env.MOONBASE_ADMIN_TOKEN && isWeakToken(env.MOONBASE_ADMIN_TOKEN)
      ? [`MOONBASE_ADMIN_TOKEN can be guessed: take ${STRONG_TOKEN}`]
      : []),
    ...(env.MOONBASE_JOBS_RUNNER === 'process'
      ? ['Jobs are commands that run with the rights of the hub: MOONBASE_JOBS_RUNNER is process']
      : []),
    ...(env.MOONBASE_SMTP_URL !== undefined && env.MOONBASE_PUBLIC_URL === undefined
      ? ['Links in mails lead to the address that the hub listens on: MOONBASE_PUBLIC_URL is not set']
      : []),
  ];
}
