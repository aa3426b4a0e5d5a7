import { codeOf } from '../../error-text.ts';
import { createS3Requests, element, NO_BODY, type S3Bucket, textOf } from './s3-requests.ts';

/** The key of the object that is asked for, which no hub stores. */
const KEY = 'moonbase-check';

/** The error codes of services, each with the setting that is wrong and what to do. */
const FAULTS: Readonly<Record<string, (bucket: S3Bucket) => string>> = {
  InvalidAccessKeyId: () => 'MOONBASE_S3_ACCESS_KEY: the service does not know this key; correct it',
  SignatureDoesNotMatch: () =>
    'MOONBASE_S3_SECRET_KEY: it is not the secret of MOONBASE_S3_ACCESS_KEY; correct one of them',
  NoSuchBucket: ({ bucket }) => `MOONBASE_S3_BUCKET: there is no bucket ${bucket}; make it, or name another one`,
  AuthorizationHeaderMalformed: () => 'MOONBASE_S3_REGION: the bucket is in another region; name that one',
  PermanentRedirect: () => 'MOONBASE_S3_REGION: the bucket is in another region; name that one, and its endpoint',
  RequestTimeTooSkewed: () => 'MOONBASE_S3_ENDPOINT: the service has another time; set the clock of this machine',
};

/**
 * Returns a sentence about why a bucket cannot be used, which begins with the name of a setting; undefined if nothing is
 * known against it. A key that may not list the bucket gets `AccessDenied` for an object that does not exist, which is no fault.
 */
export async function bucketFault(bucket: S3Bucket, now: () => number): Promise<string | undefined> {
  const requests = createS3Requests(bucket, now);
  try {
    const answer = await requests.send({ method: 'GET', key: KEY, payloadHash: NO_BODY });
    return FAULTS[element(await textOf(answer), 'Code') ?? '']?.(bucket);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const reason = codeOf(cause) ?? (cause instanceof Error ? cause.message : 'no answer');
    const { host } = new URL(bucket.endpoint);
    return `MOONBASE_S3_ENDPOINT: the service at ${host} cannot be used (${reason}); correct the address, or start the service`;
  } finally {
    await requests.close();
  }
}
