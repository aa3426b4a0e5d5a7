import { GIT_ERROR_TYPE } from '@moonbase/contract/content/git';
import type { ResponseFormat } from '../platform/http/response-format.ts';

const PATHS = /^(\/[^/]+){2,3}\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** The form of errors on the paths of git, which shows texts at the terminal and nothing else. */
export const gitResponseFormat: ResponseFormat = {
  mediaType: GIT_ERROR_TYPE,
  speaks: (path) => PATHS.test(path),
  errorBody: ({ message }): string => `${message}\n`,
  // git asks for a user name and password only if this header is present.
  errorHeaders: ({ status }) => (status === 401 ? { 'www-authenticate': 'Basic realm="Moonbase"' } : {}),
};
