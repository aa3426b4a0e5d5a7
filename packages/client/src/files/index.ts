// Operations on files of repositories that take several requests.
export type { Commit, CommitMessage } from './commit.ts';
export type { CreateHash, Hasher } from './hashing.ts';
export { isFile } from './identity.ts';
export { listFiles, listHistory } from './listing.ts';
export {
  DamagedFileError,
  fileIn,
  type KnownFile,
  type OpenFile,
  type OpenFileParams,
  openFile,
  readFile,
  urlOfFile,
} from './open-file.ts';
export { commitAt, type FileRepo, getEntry } from './repo-file.ts';
export { type FileContent, type FileSource, streamOf } from './source.ts';
export {
  deleteFiles,
  type UploadFile,
  type UploadParams,
  type UploadProgress,
  type UploadResult,
  uploadFiles,
} from './upload.ts';
