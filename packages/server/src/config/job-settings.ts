import * as z from 'zod';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

const DOCKER_SOCKET = 'unix:///var/run/docker.sock';

export const dockerUrl = text.regex(
  /^(unix:\/\/\/.+|(tcp|https?):\/\/[^/@?#\s]+\/?)$/,
  'must be unix:///path, or tcp://, http:// or https:// with host and port',
);

/** Image references, whose last component may be `*`. */
const images = text
  .regex(/^[^,\s]+( *, *[^,\s]+)*$/, 'must be references of images, separated by commas')
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((patterns) => patterns.every((each) => /^(\*|[a-zA-Z0-9][\w.:@/-]*(\/\*)?)$/.test(each)), {
    error: 'must be references of images, as in python, python:3.12, ghcr.io/acme/* or *',
  });

const DockerSettings = z.object({
  url: setting(
    'MOONBASE_DOCKER_URL',
    dockerUrl.prefault(DOCKER_SOCKET),
    'The engine of the runner `docker`: `unix://`, `tcp://`, `http://` or `https://`.',
    `\`DOCKER_HOST\`, else \`${DOCKER_SOCKET}\``,
  ),
  /** A folder with `ca.pem`, `cert.pem` and `key.pem`. */
  certificates: setting(
    'MOONBASE_DOCKER_CERT_PATH',
    optional(text),
    'A folder with `ca.pem`, `cert.pem` and `key.pem`: the hub connects to the engine over TLS.',
    '`DOCKER_CERT_PATH` if the address comes from `DOCKER_HOST`',
  ),
  network: setting(
    'MOONBASE_DOCKER_NETWORK',
    text.regex(/^(?!host$)[a-zA-Z0-9][\w.-]*$/, 'must be none or the name of a network, and not host').prefault('none'),
    'Docker network that containers join.',
  ),
  readOnlyRoot: setting(
    'MOONBASE_DOCKER_READ_ONLY_ROOT',
    flag.prefault('false'),
    'Let containers write to `/tmp` and volumes only.',
  ),
  pidsLimit: setting(
    'MOONBASE_DOCKER_PIDS_LIMIT',
    wholeNumber(4_194_304, 1).prefault('1024'),
    'Maximum number of processes and threads of a container.',
  ),
});

export const JobSettings = z.object({
  runner: setting(
    'MOONBASE_JOBS_RUNNER',
    z.enum(['process', 'docker', 'kubernetes', 'none']).prefault('none'),
    'What runs jobs: `docker`, `kubernetes`, or `process`, which runs commands with the rights of the hub and is for development mode only. See [jobs.md](jobs.md).',
  ),
  images: setting(
    'MOONBASE_JOB_IMAGES',
    images.default([]),
    'Images that jobs may run, comma-separated: `python`, `python:3.12`, `ghcr.io/acme/*`, or `*` for all. Required with the runner `docker`; with `kubernetes` all images are allowed if this is not set.',
  ),
  volumesDir: setting(
    'MOONBASE_JOB_VOLUMES_DIR',
    optional(text.regex(/^\//, 'must be an absolute path')),
    'Folder in which the hub puts the files of repositories and buckets while containers mount them. Without this setting, volumes are refused.',
  ),
  checkoutGibibytes: setting(
    'MOONBASE_JOB_CHECKOUT_GIB',
    wholeNumber(1_000_000, 1).prefault('100'),
    'Maximum size of the files of repositories that an attempt of a job mounts, in GiB.',
  ),
  docker: DockerSettings,
  kubernetes: secret(
    'MOONBASE_KUBERNETES',
    optional(text),
    'For the runner `kubernetes`: a JSON document, or the path of one: namespace, flavors, volumes. See [jobs.md](jobs.md#kubernetes).',
  ),
  maxRunning: setting(
    'MOONBASE_MAX_RUNNING_JOBS',
    wholeNumber(10_000, 1).prefault('16'),
    'Jobs that run at the same time; others wait.',
  ),
  maxRunningPerOwner: setting(
    'MOONBASE_MAX_RUNNING_JOBS_PER_OWNER',
    wholeNumber(10_000, 1).prefault('8'),
    'Jobs of one owner that run at the same time.',
  ),
  maxTimeoutSeconds: setting(
    'MOONBASE_JOB_MAX_TIMEOUT',
    wholeNumber(365 * 86_400, 1).prefault('604800'),
    'Maximum duration of an attempt of a job, in seconds.',
  ),
  maxAttempts: setting(
    'MOONBASE_JOB_MAX_ATTEMPTS',
    wholeNumber(1000, 1).prefault('10'),
    'Maximum number of attempts that a job may ask for.',
  ),
  logMebibytes: setting('MOONBASE_JOB_LOG_MIB', wholeNumber(1024, 1).prefault('10'), 'MiB of log kept per job.'),
  days: setting(
    'MOONBASE_JOB_DAYS',
    wholeNumber(3650, 1).prefault('30'),
    'Days for which finished jobs keep their logs; after that they are listed as `DELETED` for the same number of days.',
  ),
});
