import { GIT_ERROR_TYPE } from '@moonbase/contract/content/git';
import type { ResponseFormat } from '../platform/http/response-format.ts';
import { errorLine, FLUSH, sideBand } from './protocol/pkt-line.ts';

const PATHS = /^(\/[^/]+){2,3}\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const SERVICE = /\/git-(upload|receive)-pack$/;

/** The form of errors on the paths of git, which shows texts at the terminal and nothing else. */
export const gitResponseFormat: ResponseFormat = {
  mediaType: GIT_ERROR_TYPE,
  speaks: (path) => PATHS.test(path),
  errorBody: ({ message }): string => `${message}\n`,
  // git asks for a user name and password only if this header is present.
  errorHeaders: ({ status }) => (status === 401 ? { 'www-authenticate': 'Basic realm="Moonbase"' } : {}),
  // Of a refused POST git shows the status alone, and after 401 it asks for a password.
  inProtocol({ status, message }, { path, userAgent }) {
    const [, service] = SERVICE.exec(path) ?? [];
    if (service === undefined || status === 401 || !userAgent?.startsWith('git/')) return undefined;
    return {
      type: `application/x-git-${service}-pack-result`,
      body: service === 'upload' ? errorLine(message) : Buffer.concat([sideBand(3, Buffer.from(message)), FLUSH]),
    };
  },
};
