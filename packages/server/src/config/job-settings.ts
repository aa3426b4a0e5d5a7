import { z } from 'zod';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { setting } from './setting.ts';

const DOCKER_SOCKET = 'unix:///var/run/docker.sock';

export const dockerUrl = text.regex(
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
    'A folder with `ca.pem`, `cert.pem` and `key.pem`: the engine is spoken to over TLS.',
    "`DOCKER_CERT_PATH` where the address is `DOCKER_HOST`'s",
  ),
  network: setting(
    'MOONBASE_DOCKER_NETWORK',
    text.regex(/^(?!host$)[a-zA-Z0-9][\w.-]*$/, 'must be none or the name of a network, and not host').prefault('none'),
    'The network of the engine that containers are in.',
  ),
  readOnlyRoot: setting(
    'MOONBASE_DOCKER_READ_ONLY_ROOT',
    flag.prefault('false'),
    'Containers write to `/tmp` and volumes only.',
  ),
  pidsLimit: setting(
    'MOONBASE_DOCKER_PIDS_LIMIT',
    wholeNumber(4_194_304, 1).prefault('1024'),
    'Processes and threads of a container.',
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
    'Images that jobs may run, comma-separated: `python`, `python:3.12`, `ghcr.io/acme/*`, or `*` for all. Must be set with the runner `docker`; with `kubernetes` all are allowed where it is not.',
  ),
  volumesDir: setting(
    'MOONBASE_JOB_VOLUMES_DIR',
    optional(text.regex(/^\//, 'must be an absolute path')),
    'The folder of what jobs mount: `models/acme/bert`, `buckets/…`. Without it volumes are refused.',
  ),
  docker: DockerSettings,
  kubernetes: setting(
    'MOONBASE_KUBERNETES',
    optional(text),
    'For the runner `kubernetes`: a JSON document, or the path of one: namespace, flavors, volumes. See [jobs.md](jobs.md#kubernetes).',
  ),
  maxRunning: setting(
    'MOONBASE_MAX_RUNNING_JOBS',
    wholeNumber(10_000, 1).prefault('16'),
    'Jobs that run at the same time; the others wait.',
  ),
  maxRunningPerOwner: setting(
    'MOONBASE_MAX_RUNNING_JOBS_PER_OWNER',
    wholeNumber(10_000, 1).prefault('8'),
    'Of these, of one owner.',
  ),
  maxTimeoutSeconds: setting(
    'MOONBASE_JOB_MAX_TIMEOUT',
    wholeNumber(365 * 86_400, 1).prefault('604800'),
    'Seconds that an attempt of a job may take at the most.',
  ),
  maxAttempts: setting(
    'MOONBASE_JOB_MAX_ATTEMPTS',
    wholeNumber(1000, 1).prefault('10'),
    'Attempts that a job may ask for.',
  ),
  logMebibytes: setting(
    'MOONBASE_JOB_LOG_MIB',
    wholeNumber(1024, 1).prefault('10'),
    'MiB that are kept of the log of a job.',
  ),
  days: setting(
    'MOONBASE_JOB_DAYS',
    wholeNumber(3650, 1).prefault('30'),
    'Days for which jobs that have ended keep their logs; they are listed as `DELETED` for as long again.',
  ),
});
