import { readConfig } from '@moonbase/server/config';
import { expect, test } from 'vitest';
import { moonbase } from './hub.ts';

/*
 * Wrong settings as operators write them. Each row has the environment and the whole sentence that the command prints: it
 * begins with the setting to change and says what it must be.
 */

const KEY = { MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken' };
const PUBLIC = { MOONBASE_HOST: '0.0.0.0' };
const OIDC = { MOONBASE_OIDC_ISSUER: 'https://login.example.com', MOONBASE_OIDC_CLIENT_ID: 'hub' };

const YES_NO = 'must be true or false';
const HTTP_URL = 'must be an http or https URL';
const NO_USER = 'must have no user, query or fragment';
const from = (min: number, max: number) => `must be a whole number from ${min} to ${max}, without a unit`;
const GIBIBYTES = 'must be a number from 0 to 1000000000 with at most three decimals, without a unit';
const noAddress = (text: string) => `"${text}" is neither an IP address nor a CIDR range such as 10.0.0.0/8.`;
const QUOTAS = 'must be off, public, a number of requests in 300 s, or numbers as in anonymous=500,free=1000';

type Environment = Readonly<Record<string, string>>;

const ENCODED =
  'must be a URL as in postgres://hub:password@db.example.com:5432/hub, with / ? # @ % in the password written as %2F %3F %23 %40 %25';
const BUCKET = 'must be set together with MOONBASE_S3_BUCKET, MOONBASE_S3_ACCESS_KEY and MOONBASE_S3_SECRET_KEY';

/** A wrong value of one setting: the setting, its value, and what the sentence says after its name. */
const VALUES: readonly (readonly [string, string, string])[] = [
  ['MOONBASE_PORT', '70000', from(0, 65535)],
  ['MOONBASE_PORT', '7780/tcp', from(0, 65535)],
  ['MOONBASE_PORT', '99999999999', from(0, 65535)],
  ['MOONBASE_HOST', ' ', 'must not be blank'],
  [
    'MOONBASE_HOST',
    'http://0.0.0.0',
    'must be an address or a name without scheme and port, such as 0.0.0.0; the port is MOONBASE_PORT',
  ],
  [
    'MOONBASE_HOST',
    '0.0.0.0:8080',
    'must be an address or a name without scheme and port, such as 0.0.0.0; the port is MOONBASE_PORT',
  ],
  ['MOONBASE_ROLE', 'web', 'must be all, api or worker'],
  ['MOONBASE_ROLE', 'worker', 'api and worker need MOONBASE_DATABASE_URL'],
  ['MOONBASE_LOG_LEVEL', 'verbose', 'must be fatal, error, warn, info, debug, trace or silent'],
  ['MOONBASE_LOG_FORMAT', 'xml', 'must be text or json'],
  ['MOONBASE_ACCESS_LOG', 'off', YES_NO],
  ['MOONBASE_PUBLIC_URL', 'hub.example.com', `${HTTP_URL}, such as https://hub.example.com`],
  ['MOONBASE_PUBLIC_URL', 'ftp://hub.example.com', `${HTTP_URL}, such as https://hub.example.com`],
  ['MOONBASE_PUBLIC_URL', 'https://ada:hush@hub.example.com', NO_USER],
  ['MOONBASE_PUBLIC_URL', 'https://hub.example.com/?x=1', NO_USER],
  ['MOONBASE_DRAIN_SECONDS', '30s', from(0, 600)],
  ['MOONBASE_DRAIN_SECONDS', '3600', from(0, 600)],
  ['MOONBASE_ADMIN_TOKEN', 'secret', 'must be hf_ and at least 8 letters or digits'],
  ['MOONBASE_DATABASE_URL', 'mysql://db/hub', 'must begin with postgres://'],
  ['MOONBASE_DATABASE_URL', 'postgres://hub:a/b#c@db/hub', ENCODED],
  ['MOONBASE_DATABASE_URL', 'postgres://hub:100%@db/hub', ENCODED],
  ['MOONBASE_DATABASE_URL', 'postgres://hub@db:port/hub', ENCODED],
  ['MOONBASE_DATABASE_WAIT_SECONDS', '1m', from(0, 3600)],
  ['MOONBASE_SECRET_KEY', 'short', 'must have 32 characters or more'],
  ['MOONBASE_S3_ENDPOINT', 's3.example.com', HTTP_URL],
  ['MOONBASE_S3_ENDPOINT', 'https://key:secret@s3.example.com', NO_USER],
  [
    'MOONBASE_S3_BUCKET',
    'My_Bucket',
    'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
  ],
  ['MOONBASE_S3_FORCE_PATH_STYLE', 'yes', YES_NO],
  ['MOONBASE_MAX_FILE_GIB', '5 TiB', from(1, 5000)],
  ['MOONBASE_QUOTA_USER_GIB', '10GB', GIBIBYTES],
  ['MOONBASE_QUOTA_ORGANIZATION_GIB', '0.0001', GIBIBYTES],
  ['MOONBASE_MAX_TOKENS', '0', from(1, 100_000)],
  ['MOONBASE_DISCUSSION_DAILY_LIMIT', 'off', from(1, 100_000)],
  ['MOONBASE_LARGE_FILE_GRACE_DAYS', '1', from(2, 3650)],
  ['MOONBASE_GIT_STORE', 's3', 'must be folder or bucket'],
  ['MOONBASE_GIT_STORE', 'bucket', 'bucket needs MOONBASE_S3_ENDPOINT'],
  ['MOONBASE_UPSTREAM_URL', 'huggingface.co', HTTP_URL],
  ['MOONBASE_UPSTREAM_ALLOW', 'google', 'must be names such as `google/gemma` or patterns such as `google/*`'],
  [
    'MOONBASE_OUTBOUND_ALLOW',
    '10.0.0.0/33',
    'The part after the slash in "10.0.0.0/33" must be a whole number from 0 to 32.',
  ],
  ['MOONBASE_OUTBOUND_ALLOW', 'intranet', noAddress('intranet')],
  ['MOONBASE_TRUSTED_PROXIES', 'true', noAddress('true')],
  ['MOONBASE_TRUSTED_PROXIES', '10.0.0.1;10.0.0.2', noAddress('10.0.0.1;10.0.0.2')],
  ['MOONBASE_RATE_LIMITS', 'on', QUOTAS],
  ['MOONBASE_RATE_LIMITS', 'free=100', `${QUOTAS}: anonymous is needed`],
  ['MOONBASE_RATE_LIMITS', 'anonymous=1,anonymous=2', 'names anonymous twice; name it once'],
  ['MOONBASE_PASSWORD_MIN', '6', from(8, 64)],
  ['MOONBASE_SIGN_IN', 'ldap', 'must be some of password, token, oidc, separated by commas'],
  [
    'MOONBASE_SIGN_IN',
    'oidc',
    'must have password or token where MOONBASE_OIDC_ISSUER is not set: nobody could sign in',
  ],
  ['MOONBASE_SIGN_UP', 'open', 'must be invitation, closed, or mail domains, separated by commas'],
  [
    'MOONBASE_SIGN_UP',
    'example.com',
    'mail domains need MOONBASE_SMTP_URL and MOONBASE_PUBLIC_URL: the hub mails links that confirm addresses',
  ],
  ['MOONBASE_SECOND_FACTOR', 'yes', 'must be optional, admins or all'],
  ['MOONBASE_OIDC_ISSUER', 'login.example.com', 'must be an https URL'],
  [
    'MOONBASE_OIDC_ISSUER',
    'https://login.microsoftonline.com/common/v2.0',
    'must name one tenant: the id of the directory in the place of common or organizations',
  ],
  ['MOONBASE_OIDC_AUTO', 'true', 'must be set together with MOONBASE_OIDC_ISSUER, and oidc in MOONBASE_SIGN_IN'],
  ['MOONBASE_WEBHOOK_RETRY_SCHEDULE', '5s,10s', 'must be seconds without a unit, separated by commas'],
  ['MOONBASE_WEBHOOK_LOG_DAYS', '30d', from(1, 3650)],
  ['MOONBASE_SMTP_URL', 'mail.example.com:25', 'must begin with smtp:// or smtps://'],
  ['MOONBASE_SMTP_URL', 'smtp://', 'must name a host'],
  ['MOONBASE_MAIL_FROM', 'Moonbase', 'must be an address, as in Moonbase <hub@example.com>'],
  ['MOONBASE_JOBS_RUNNER', 'podman', 'must be process, docker, kubernetes or none'],
  ['MOONBASE_JOB_IMAGES', 'py*', 'must be references of images, as in python, python:3.12, ghcr.io/acme/* or *'],
  ['MOONBASE_JOB_VOLUMES_DIR', 'volumes', 'must be an absolute path'],
  [
    'MOONBASE_DOCKER_URL',
    '/run/docker.sock',
    'must be unix:///path, or tcp://, http:// or https:// with host and port',
  ],
  ['MOONBASE_AUDIT_SINK', '/var/log/audit.jsonl', 'must be file: and a path, or an https URL'],
  ['MOONBASE_AUDIT_LOG_DAYS', 'forever', from(1, 36500)],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', `${HTTP_URL}, such as http://127.0.0.1:4318`],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector', `${HTTP_URL}, such as http://127.0.0.1:4318`],
];

/** Settings that do not go together: the environment, and the sentence. */
const TOGETHER: readonly (readonly [Environment, string])[] = [
  [
    { MOONBASE_DATABASE_URL: 'postgres://db/hub' },
    'MOONBASE_SECRET_KEY: must be set together with MOONBASE_DATABASE_URL',
  ],
  [
    { MOONBASE_SECRET_KEY_OLD: KEY.MOONBASE_SECRET_KEY },
    'MOONBASE_SECRET_KEY: must be set together with MOONBASE_SECRET_KEY_OLD',
  ],
  [
    { ...PUBLIC, MOONBASE_ADMIN_TOKEN: 'hf_administrator' },
    'MOONBASE_ADMIN_TOKEN: must be hf_ and at least 32 random letters and digits outside of development mode',
  ],
  [{ MOONBASE_S3_ENDPOINT: 'https://s3.example.com' }, `MOONBASE_S3_ENDPOINT: ${BUCKET}`],
  [{ MOONBASE_S3_BUCKET: 'hub' }, `MOONBASE_S3_ENDPOINT: ${BUCKET}`],
  [{ MOONBASE_UPSTREAM_TOKEN: 'hf_x' }, 'MOONBASE_UPSTREAM_URL: must be set together with MOONBASE_UPSTREAM_TOKEN'],
  [
    { MOONBASE_UPSTREAM_URL: 'https://hub.example.com', MOONBASE_PUBLIC_URL: 'https://hub.example.com/' },
    'MOONBASE_UPSTREAM_URL: must be another hub than MOONBASE_PUBLIC_URL',
  ],
  [
    { MOONBASE_OIDC_ISSUER: OIDC.MOONBASE_OIDC_ISSUER },
    'MOONBASE_OIDC_CLIENT_ID: must be set together with MOONBASE_OIDC_ISSUER',
  ],
  [
    { ...OIDC, ...PUBLIC },
    'MOONBASE_PUBLIC_URL: must be set together with MOONBASE_OIDC_ISSUER: the provider sends people back there',
  ],
  [
    { ...OIDC, MOONBASE_OIDC_ISSUER: 'http://login.example.com', MOONBASE_PUBLIC_URL: 'https://hub.example.com' },
    'MOONBASE_OIDC_ISSUER: must be an https URL outside of development mode',
  ],
  [{ MOONBASE_SMTP_URL: 'smtp://mail.example.com' }, 'MOONBASE_MAIL_FROM: must be set together with MOONBASE_SMTP_URL'],
  [{ MOONBASE_JOBS_RUNNER: 'docker' }, 'MOONBASE_JOB_IMAGES: must be set where MOONBASE_JOBS_RUNNER is docker'],
  [{ MOONBASE_JOBS_RUNNER: 'kubernetes' }, 'MOONBASE_KUBERNETES: must be set where MOONBASE_JOBS_RUNNER is kubernetes'],
  [
    { ...PUBLIC, MOONBASE_JOBS_RUNNER: 'process' },
    'MOONBASE_JOBS_RUNNER: process is for development mode only: choose docker or kubernetes',
  ],
];

/** Settings with which the hub starts, and the warning of its log. */
const WARNED: readonly (readonly [Environment, string])[] = [
  [
    { MOONBASE_POTR: '80' },
    'MOONBASE_POTR is no setting of this version and has no effect; did you mean MOONBASE_PORT?',
  ],
  [
    { MOONBASE_SECRETKEY: 'x' },
    'MOONBASE_SECRETKEY is no setting of this version and has no effect; did you mean MOONBASE_SECRET_KEY?',
  ],
  [
    { MOONBASE_ELASTICSEARCH_CLUSTER: 'x' },
    'MOONBASE_ELASTICSEARCH_CLUSTER is no setting of this version and has no effect; see docs/configuration.md',
  ],
  [
    { MOONBASE_SESSION_IDLE_DAYS: '60' },
    'MOONBASE_SESSION_IDLE_DAYS has no effect: sessions end before, after MOONBASE_SESSION_MAX_DAYS; make it less',
  ],
  [
    { MOONBASE_OIDC_CLIENT_SECRET: 'hush' },
    'MOONBASE_OIDC_CLIENT_SECRET has no effect: MOONBASE_OIDC_ISSUER is not set',
  ],
  [
    { MOONBASE_PUBLIC_URL: 'https://example.com/hub' },
    'MOONBASE_PUBLIC_URL has a path, under which the console does not work: give the hub a host name of its own',
  ],
  [
    { MOONBASE_MAIL_FROM: 'hub@example.com' },
    'MOONBASE_MAIL_FROM has no effect, and mail is off: MOONBASE_SMTP_URL is not set',
  ],
];

/** Runs the command that migrates a database with the settings of a hub, and does not start it. */
const migrateWith = (env: Environment) =>
  moonbase(['migrate'], { env: { MOONBASE_DATA_DIR: ':memory:', MOONBASE_LOG_LEVEL: 'silent', ...env } });

const rows = [
  ...VALUES.map(([name, value, what]): readonly [Environment, string] => [
    name === 'MOONBASE_DATABASE_URL' ? { ...KEY, [name]: value } : { [name]: value },
    `${name}: ${what}`,
  ]),
  ...TOGETHER,
];

test.each(rows)('a hub with %j does not start: %s', async (env, sentence) => {
  const { status, err } = await migrateWith(env);
  expect(err).toBe(`The settings are wrong:\n  ${sentence}\n`);
  expect(status).toBe(1);
});

test.each(WARNED)('a hub with %j starts with a warning: %s', (env, warning) => {
  expect(readConfig(env).warnings).toContain(warning);
});
