const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 4096;

/** Code points that HFS+ ignores in file names. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names that some file system treats as `.git`, as `git fsck --strict` checks. */
const DOT_GIT = /^(\.git|git~1)[ .]*(:.*|\\.*)?$/i;

/** Returns what is wrong with one segment of a path; undefined if it is valid. */
function segmentFault(segment: string): string | undefined {
  if (segment === '') return 'must not have empty parts, nor begin or end with a slash';
  if (segment === '.' || segment === '..') return 'must not have parts named . or ..';
  // Windows takes a backslash for a slash, so what stands between backslashes is a name as well.
  const names = segment.split('\\');
  if (names.some((name) => DOT_GIT.test(name.replace(IGNORED_BY_HFS, '')))) return 'must not have parts named .git';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
    return `must not have parts longer than ${MAX_SEGMENT_BYTES} bytes`;
  return undefined;
}

/** Returns what is wrong with the path of a file in a repository; undefined if it is valid. */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  // On Windows, such a path leads out of the folder; like the public hub, this hub accepts `..` between later backslashes.
  if (path.startsWith('..\\')) return 'must not have parts named . or ..';
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return 'must not contain control characters or broken Unicode';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `must be at most ${MAX_PATH_BYTES} bytes`;
  for (const segment of path.split('/')) {
    const fault = segmentFault(segment);
    if (fault) return fault;
  }
  return undefined;
}
