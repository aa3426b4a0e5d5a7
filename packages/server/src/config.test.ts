import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

describe('the settings', () => {
  test.each([
    ['file:/var/log/audit.jsonl', { file: '/var/log/audit.jsonl' }],
    ['file:///var/log/audit.jsonl', { file: '/var/log/audit.jsonl' }],
    ['file:audit.jsonl', { file: 'audit.jsonl' }],
    ['https://logs.example/audit?key=1', { url: 'https://logs.example/audit?key=1' }],
  ])('copy the audit log to %s', (MOONBASE_AUDIT_SINK, auditSink) => {
    expect(readConfig({ MOONBASE_AUDIT_SINK }).auditSink).toEqual(auditSink);
  });

  test('have defaults for a hub on a laptop', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 7780,
      dataDir: './data',
      developmentMode: true,
      lenientWebhooks: false,
      webhookRetrySchedule: [5, 300, 1800, 7200, 18000, 36000, 36000],
      webhookDailyLimit: undefined,
      webhookLogDays: 30,
      notificationDays: 365,
      auditLogDays: undefined,
      maxWebhooks: 100,
      maxWatched: 1000,
      mail: undefined,
      warnings: [],
    });
  });

  test.each([
    [{}, 'unix:///var/run/docker.sock', undefined],
    [{ DOCKER_HOST: 'tcp://engine:2376', DOCKER_CERT_PATH: '/certs' }, 'tcp://engine:2376', '/certs'],
    [{ DOCKER_HOST: 'ssh://engine' }, 'unix:///var/run/docker.sock', undefined],
    [{ MOONBASE_DOCKER_URL: 'unix:///x', DOCKER_HOST: 'tcp://engine', DOCKER_CERT_PATH: '/c' }, 'unix:///x', undefined],
  ])('with %j expect the container engine at %s', (environment, url, certificates) => {
    expect(readConfig(environment).jobs.docker).toMatchObject({ url, certificates });
  });

  test('name the images that jobs may run', () => {
    const MOONBASE_JOB_IMAGES = 'python, ghcr.io/acme/*,localhost:5000/a:b';
    const { jobs } = readConfig({ MOONBASE_JOBS_RUNNER: 'docker', MOONBASE_JOB_IMAGES, MOONBASE_HOST: '0.0.0.0' });
    expect(jobs).toMatchObject({ runner: 'docker', images: ['python', 'ghcr.io/acme/*', 'localhost:5000/a:b'] });
  });

  test.each([
    [{}, true],
    [{ MOONBASE_HOST: 'localhost' }, true],
    [{ MOONBASE_HOST: '::1' }, true],
    [{ MOONBASE_PUBLIC_URL: 'http://localhost:9000' }, true],
    [{ MOONBASE_HOST: '0.0.0.0' }, false],
    [{ MOONBASE_PUBLIC_URL: 'https://hub.example' }, false],
    [{ MOONBASE_HOST: '127.example' }, false],
  ])('with %j set development mode to %s', (environment, expected) => {
    const { developmentMode, anonymousRead, jobs } = readConfig(environment);
    expect([developmentMode, anonymousRead, jobs.runner]).toEqual([expected, expected, 'none']);
  });

  test('open what is public to strangers where the operator says so, in either mode', () => {
    const isOpen = (value: string, host: string) =>
      readConfig({ MOONBASE_ANONYMOUS_READ: value, MOONBASE_HOST: host }).anonymousRead;
    expect([isOpen('true', '0.0.0.0'), isOpen('false', '127.0.0.1')]).toEqual([true, false]);
  });

  test.each([
    [{ MOONBASE_PORT: '70000' }, 'MOONBASE_PORT'],
    [{ MOONBASE_JOBS_RUNNER: 'docker-ish' }, 'MOONBASE_JOBS_RUNNER'],
    [{ MOONBASE_JOBS_RUNNER: 'docker' }, 'MOONBASE_JOB_IMAGES'],
    [{ MOONBASE_JOB_IMAGES: 'python,,debian' }, 'MOONBASE_JOB_IMAGES'],
    [{ MOONBASE_JOB_IMAGES: 'py*' }, 'MOONBASE_JOB_IMAGES'],
    [{ MOONBASE_JOB_IMAGES: 'ghcr.io/*/train' }, 'MOONBASE_JOB_IMAGES'],
    [{ MOONBASE_JOB_VOLUMES_DIR: 'volumes' }, 'MOONBASE_JOB_VOLUMES_DIR'],
    [{ MOONBASE_DOCKER_URL: '/var/run/docker.sock' }, 'MOONBASE_DOCKER_URL'],
    [{ MOONBASE_DOCKER_URL: 'ssh://host' }, 'MOONBASE_DOCKER_URL'],
    [{ MOONBASE_DOCKER_URL: 'tcp://user:hush@host:2376' }, 'MOONBASE_DOCKER_URL'],
    [{ MOONBASE_DOCKER_NETWORK: 'host' }, 'MOONBASE_DOCKER_NETWORK'],
    [{ MOONBASE_DOCKER_NETWORK: 'container:other' }, 'MOONBASE_DOCKER_NETWORK'],
    [{ MOONBASE_DOCKER_PIDS_LIMIT: '0' }, 'MOONBASE_DOCKER_PIDS_LIMIT'],
    [{ MOONBASE_JOBS_RUNNER: 'process', MOONBASE_HOST: '0.0.0.0' }, 'MOONBASE_JOBS_RUNNER'],
    [{ MOONBASE_PORT: '0x10' }, 'MOONBASE_PORT'],
    [{ MOONBASE_PUBLIC_URL: 'hub.example' }, 'MOONBASE_PUBLIC_URL'],
    [{ MOONBASE_DATABASE_URL: 'mysql://x' }, 'MOONBASE_DATABASE_URL'],
    [{ MOONBASE_DATABASE_URL: 'postgres://x' }, 'MOONBASE_SECRET_KEY'],
    [{ MOONBASE_ADMIN_TOKEN: 'secret' }, 'MOONBASE_ADMIN_TOKEN'],
    [{ MOONBASE_ADMIN_TOKEN: 'hf_administrator', MOONBASE_HOST: '0.0.0.0' }, 'MOONBASE_ADMIN_TOKEN'],
    [{ MOONBASE_ADMIN_TOKEN: `hf_${'ab'.repeat(20)}`, MOONBASE_HOST: '0.0.0.0' }, 'MOONBASE_ADMIN_TOKEN'],
    [{ MOONBASE_SECRET_KEY: 'short' }, 'MOONBASE_SECRET_KEY'],
    [{ MOONBASE_AUDIT_SINK: '/var/log/audit.jsonl' }, 'MOONBASE_AUDIT_SINK'],
    [{ MOONBASE_AUDIT_SINK: 'file:' }, 'MOONBASE_AUDIT_SINK'],
    [{ MOONBASE_AUDIT_SINK: 'http://logs.example/' }, 'MOONBASE_AUDIT_SINK'],
    [{ MOONBASE_AUDIT_SINK: 'https://user:password@logs.example/' }, 'MOONBASE_AUDIT_SINK'],
    [{ MOONBASE_OUTBOUND_ALLOW: '10.0.0.0/33' }, 'MOONBASE_OUTBOUND_ALLOW'],
    [{ MOONBASE_TRUSTED_PROXIES: 'proxy' }, 'MOONBASE_TRUSTED_PROXIES'],
    [{ MOONBASE_LENIENT_WEBHOOKS: 'yes' }, 'MOONBASE_LENIENT_WEBHOOKS'],
    [{ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '5;10' }, 'MOONBASE_WEBHOOK_RETRY_SCHEDULE'],
    [{ MOONBASE_WEBHOOK_DAILY_LIMIT: '-1' }, 'MOONBASE_WEBHOOK_DAILY_LIMIT'],
    [{ MOONBASE_WEBHOOK_LOG_DAYS: '0' }, 'MOONBASE_WEBHOOK_LOG_DAYS'],
    [{ MOONBASE_WEBHOOK_LOG_DAYS: '1.5' }, 'MOONBASE_WEBHOOK_LOG_DAYS'],
    [{ MOONBASE_MAX_WEBHOOKS: '0' }, 'MOONBASE_MAX_WEBHOOKS'],
    [{ MOONBASE_MAX_WATCHED: 'many' }, 'MOONBASE_MAX_WATCHED'],
    [{ MOONBASE_SMTP_URL: 'http://user:hush@mail.example' }, 'MOONBASE_SMTP_URL'],
    [{ MOONBASE_SMTP_URL: 'smtp://' }, 'MOONBASE_SMTP_URL'],
    [{ MOONBASE_SMTP_URL: 'smtp://user:hush@/' }, 'MOONBASE_SMTP_URL'],
    [{ MOONBASE_SMTP_URL: 'mail.example:25' }, 'MOONBASE_SMTP_URL'],
    [{ MOONBASE_SMTP_URL: 'smtp://mail.example' }, 'MOONBASE_MAIL_FROM'],
    [{ MOONBASE_MAIL_FROM: 'Moonbase' }, 'MOONBASE_MAIL_FROM'],
    [{ MOONBASE_MAIL_FROM: 'a@example.com, b@example.com' }, 'MOONBASE_MAIL_FROM'],
    [{ MOONBASE_MAIL_FROM: 'Moonbase <a@example.com' }, 'MOONBASE_MAIL_FROM'],
    [{ MOONBASE_MAIL_FROM: 'a@example.com>' }, 'MOONBASE_MAIL_FROM'],
    [{ MOONBASE_MAIL_FROM: 'x\r\nBcc: <a@example.com>' }, 'MOONBASE_MAIL_FROM'],
    [{ MOONBASE_MAIL_QUIET_SECONDS: '-1' }, 'MOONBASE_MAIL_QUIET_SECONDS'],
    [{ MOONBASE_MAIL_QUIET_SECONDS: '86401' }, 'MOONBASE_MAIL_QUIET_SECONDS'],
    [{ MOONBASE_LOG_LEVEL: 'loud' }, 'MOONBASE_LOG_LEVEL'],
    [{ MOONBASE_LOG_FORMAT: 'xml' }, 'MOONBASE_LOG_FORMAT'],
    [{ MOONBASE_ACCESS_LOG: 'sometimes' }, 'MOONBASE_ACCESS_LOG'],
    [{ MOONBASE_ROLE: 'both' }, 'MOONBASE_ROLE'],
    [{ MOONBASE_ROLE: 'api' }, 'MOONBASE_ROLE'],
    [{ MOONBASE_ROLE: 'worker' }, 'MOONBASE_ROLE'],
  ])('with %j stop the start, and the error names the setting', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(`${name}: `);
  });

  test('with a mail server turn mail on', () => {
    const mail = {
      MOONBASE_SMTP_URL: 'smtps://u:p%40ss@mail.example:465?name=hub',
      MOONBASE_MAIL_FROM: 'hub@example.com',
    };
    expect(readConfig({ ...mail, MOONBASE_PUBLIC_URL: 'https://hub.example' })).toMatchObject({
      mail: { smtpUrl: mail.MOONBASE_SMTP_URL, from: { name: '', address: 'hub@example.com' }, quietMs: 60_000 },
      warnings: [],
    });
    for (const from of ['The Hub <hub@example.com>', '"The Hub" <hub@example.com>'])
      expect(readConfig({ ...mail, MOONBASE_MAIL_FROM: from, MOONBASE_MAIL_QUIET_SECONDS: '0' })).toMatchObject({
        mail: { from: { name: 'The Hub', address: 'hub@example.com' }, quietMs: 0 },
        warnings: [expect.stringContaining('MOONBASE_PUBLIC_URL')],
      });
    expect(readConfig({ MOONBASE_MAIL_FROM: 'hub@example.com' })).toMatchObject({
      mail: undefined,
      warnings: [expect.stringMatching(/^MOONBASE_MAIL_FROM has no effect, .*MOONBASE_SMTP_URL is not set$/)],
    });
  });

  test('that are wrong are all named at once, without their values', () => {
    expect(() =>
      readConfig({ MOONBASE_PORT: 'x', MOONBASE_SMTP_URL: 'hush://u:hush@h', MOONBASE_SECRET_KEY: 'hush' }),
    ).toThrow(/MOONBASE_PORT: .*MOONBASE_SECRET_KEY: (?!.*hush)/s);
  });

  test('that do not go together are all named at once', () => {
    const environment = {
      MOONBASE_ROLE: 'api',
      MOONBASE_SECRET_KEY_OLD: 'k'.repeat(32),
      MOONBASE_JOBS_RUNNER: 'docker',
    };
    expect(() => readConfig(environment)).toThrow(
      [
        'The settings are wrong:',
        '  MOONBASE_ROLE: api and worker need MOONBASE_DATABASE_URL',
        '  MOONBASE_SECRET_KEY: must be set together with MOONBASE_SECRET_KEY_OLD',
        '  MOONBASE_JOB_IMAGES: must be set where MOONBASE_JOBS_RUNNER is docker',
      ].join('\n'),
    );
  });

  test('with an unknown name cause a warning, unless the name belongs to the command line', () => {
    const { warnings } = readConfig({
      MOONBASE_POTR: '1',
      MOONBASE_TOKEN: 'hf_x',
      MOONBASE_URL: 'http://x',
      PATH: '/',
    });
    expect(warnings).toEqual([
      'MOONBASE_POTR is no setting of this version and has no effect; did you mean MOONBASE_PORT?',
    ]);
  });

  test('say where backups go, with the keys of large files only at their own service', () => {
    const at = { MOONBASE_BACKUP_TO: 's3://backups/hubs/one/' };
    const files = {
      MOONBASE_S3_ENDPOINT: 'https://s3.example',
      MOONBASE_S3_BUCKET: 'files',
      MOONBASE_S3_ACCESS_KEY: 'id',
      MOONBASE_S3_SECRET_KEY: 'hush',
    };
    expect(readConfig({}).backups).toBeUndefined();
    expect(readConfig({ MOONBASE_BACKUP_TO: '/backup' }).backups).toEqual({
      ...{ target: { folder: '/backup' }, schedule: '15 3 * * *', keep: 7, files: true },
    });
    expect(readConfig({ ...at, ...files }).backups?.target).toEqual({
      prefix: 'hubs/one/',
      s3: {
        ...{ endpoint: 'https://s3.example', bucket: 'backups', region: 'us-east-1', pathStyle: true },
        ...{ accessKey: 'id', secretKey: 'hush' },
      },
    });
    const wrong = /^ {2}MOONBASE_BACKUP_TO: a bucket needs MOONBASE_BACKUP_S3_ENDPOINT/m;
    expect(() => readConfig(at)).toThrow(wrong);
    expect(() => readConfig({ ...at, ...files, MOONBASE_BACKUP_S3_ENDPOINT: 'https://elsewhere.example' })).toThrow(
      wrong,
    );
    expect(() => readConfig({ MOONBASE_BACKUP_TO: 's3://Backups' })).toThrow(
      /MOONBASE_BACKUP_TO: must be a folder, or/,
    );
    expect(() => readConfig({ MOONBASE_BACKUP_SCHEDULE: 'daily' })).toThrow(
      /MOONBASE_BACKUP_SCHEDULE: must be @hourly/,
    );
    expect(() => readConfig({ MOONBASE_BACKUP_TO: '/backup', MOONBASE_DATA_DIR: ':memory:' })).toThrow(
      /MOONBASE_BACKUP_TO: a hub in memory has no backups/,
    );
    expect(readConfig({ MOONBASE_BACKUP_TO: './data/backups' }).warnings).toEqual([
      expect.stringContaining('MOONBASE_BACKUP_TO is within MOONBASE_DATA_DIR'),
    ]);
    expect(readConfig({ ...at, ...files }).warnings).toEqual([
      expect.stringContaining('Backups in a bucket are without the files of repositories'),
    ]);
    expect(readConfig({ ...at, ...files, MOONBASE_GIT_STORE: 'bucket' }).warnings).toEqual([]);
  });

  test('that are lists are split at commas', () => {
    expect(readConfig({ MOONBASE_OUTBOUND_ALLOW: '10.0.0.0/8, ::1' }).outboundAllow).toEqual(['10.0.0.0/8', '::1']);
    expect(readConfig({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,2' }).webhookRetrySchedule).toEqual([1, 2]);
  });
});
