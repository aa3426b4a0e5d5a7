import { forbidden } from '../../platform/http/errors.ts';
import { PULL_REQUEST } from '../policy.ts';
import type { RepositoryRow } from '../tables.ts';

const READ_ONLY =
  'This repository is a mirror: its branches and tags follow another repository, so commit there. Pull requests can be opened here';

/** Throws 403 if a ref follows a remote; those of pull requests never do. */
export function requireUnmirrored({ mirrored }: Pick<RepositoryRow, 'mirrored'>, ref: string): void {
  if (mirrored === 1 && !ref.startsWith(PULL_REQUEST)) throw forbidden(READ_ONLY);
}
