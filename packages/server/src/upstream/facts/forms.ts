/** Whether all parts of a path are names: none is empty or leads elsewhere, and there are no control characters. */
const hasNames = (text: string): boolean =>
  text.split('/').every((part) => !['', '.', '..'].includes(part)) && !/\p{Cc}/u.test(text);

const MAX_PATH = 1000;
const MAX_REVISION = 255;

/** Returns whether a commit can have something at a path, so that the upstream may be asked. */
export const isPath = (path: string): boolean => path.length <= MAX_PATH && hasNames(path);

/** Returns whether a text can be a revision. */
export const isRevision = (text: string): boolean => text.length <= MAX_REVISION && hasNames(text);

/** Returns whether a text can be part of a name at another hub, which may have rules of its own. */
export const isNamePart = (text: string): boolean => /^\w[\w.-]{0,95}$/.test(text);
