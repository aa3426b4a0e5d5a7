import { LFS_MEDIA_TYPE, type LfsError } from '@moonbase/contract/large-files/lfs';
import type { ResponseFormat } from '../platform/http/response-format.ts';

const PATHS = /^(\/[^/]+){2,3}\/info\/lfs\/|^\/api\/large-files\/[^/]+$/;

/** The form of errors on the paths of git LFS, whichever slice throws them. */
export const lfsResponseFormat: ResponseFormat = {
  mediaType: LFS_MEDIA_TYPE,
  speaks: (path) => PATHS.test(path),
  // A refused lock names the lock that is there.
  errorBody: ({ message, extra }): LfsError => ({ message, ...extra.fields }),
  // git-lfs asks for a user name and password only if this header is present.
  errorHeaders: ({ status }) => (status === 401 ? { 'lfs-authenticate': 'Basic realm="Moonbase"' } : {}),
};
