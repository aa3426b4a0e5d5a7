import { LFS_MEDIA_TYPE, type LfsError } from '@moonbase/contract/large-files/lfs';
import type { ResponseFormat } from '../platform/http/response-format.ts';

const PATHS = /^(\/[^/]+){2,3}\/info\/lfs\/|^\/api\/large-files\/[^/]+$/;

/** How the hub speaks where git LFS listens, whichever slice throws. */
export const lfsResponseFormat: ResponseFormat = {
  mediaType: LFS_MEDIA_TYPE,
  speaks: (path) => PATHS.test(path),
  errorBody: ({ message }): LfsError => ({ message }),
  // Without it git-lfs asks nobody for a name and a password.
  errorHeaders: ({ status }) => (status === 401 ? { 'lfs-authenticate': 'Basic realm="Moonbase"' } : {}),
};
