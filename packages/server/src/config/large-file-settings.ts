import { MAX_QUOTA_GIB } from '@moonbase/contract/accounts/quotas';
import * as z from 'zod';
import { decimal, flag, optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

/** The address of an S3-compatible service. */
export const bucketEndpoint = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => !/[?#@]/.test(url), 'must have no user, query or fragment');

const S3Settings = z.object({
  endpoint: setting(
    'MOONBASE_S3_ENDPOINT',
    optional(bucketEndpoint),
    'Address of an S3-compatible service, such as `https://s3.eu-central-1.amazonaws.com`: large files are kept in a bucket there instead of the data folder. Needs the bucket and its keys. See [large-files.md](large-files.md).',
    'none: the data folder',
  ),
  bucket: setting(
    'MOONBASE_S3_BUCKET',
    optional(
      text.regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
      ),
    ),
    'Name of the bucket, which must exist.',
  ),
  region: setting('MOONBASE_S3_REGION', text.prefault('us-east-1'), 'Region that requests are signed for.'),
  accessKey: secret('MOONBASE_S3_ACCESS_KEY', optional(text), 'Id of the access key of the bucket.'),
  secretKey: secret('MOONBASE_S3_SECRET_KEY', optional(text), 'Secret of the access key of the bucket.'),
  pathStyle: setting(
    'MOONBASE_S3_FORCE_PATH_STYLE',
    flag.prefault('true'),
    'Whether the bucket is part of the path of its addresses. `false`: of the host name.',
  ),
});

export const LargeFileSettings = z.object({
  s3: S3Settings,
  maxGibibytes: setting(
    'MOONBASE_MAX_FILE_GIB',
    wholeNumber(5000, 1).prefault('500'),
    'Maximum size of a large file, in GiB.',
  ),
  quotaOfUsers: setting(
    'MOONBASE_QUOTA_USER_GIB',
    optional(decimal(MAX_QUOTA_GIB)),
    'GiB of large files that the repositories of one user may have together, such as `50` or `0.5`; site administrators give single accounts another quota. See [large-files.md](large-files.md#quotas).',
    'none: no limit',
  ),
  quotaOfOrganizations: setting(
    'MOONBASE_QUOTA_ORGANIZATION_GIB',
    optional(decimal(MAX_QUOTA_GIB)),
    'GiB of large files that the repositories of one organization may have together, such as `50` or `0.5`; site administrators give single accounts another quota. See [large-files.md](large-files.md#quotas).',
    'none: no limit',
  ),
  graceDays: setting(
    'MOONBASE_LARGE_FILE_GRACE_DAYS',
    wholeNumber(3650, 2).prefault('7'),
    'Days after which the bytes of a large file that no repository has any more are deleted.',
  ),
  xetRead: setting(
    'MOONBASE_XET_READ',
    flag.prefault('false'),
    'Whether clients that know Xet are told to download large files through it. See [large-files.md](large-files.md#downloading-through-xet).',
  ),
  checkDays: setting(
    'MOONBASE_LARGE_FILE_CHECK_DAYS',
    wholeNumber(3650, 1).prefault('90'),
    'Days after which the stored bytes of each large file are read and compared with their SHA-256 again.',
  ),
});
