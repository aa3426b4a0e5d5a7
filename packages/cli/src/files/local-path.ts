const CONTROL = /\p{Cc}/u;
/** Names and forms of names that Windows interprets as devices. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
const WINDOWS_REFUSED = /[<>:"|?*]|[ .]$/;
/** Git runs programs that are configured in this folder; `git~1` is its short name on Windows. */
const GIT_FOLDER = /^(\.git|git~\d+)[ .]*$/i;

/** Returns why a name from a hub is not a valid path inside a local folder; undefined if it is. */
export function pathFault(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (path === '' || path.startsWith('/')) return 'is not relative';
  if (path.includes('\\') || CONTROL.test(path)) return 'has characters that no path may have';
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'leads out of the folder';
    if (GIT_FOLDER.test(part)) return 'is inside a folder of git';
    if (platform === 'win32' && (WINDOWS_DEVICE.test(part) || WINDOWS_REFUSED.test(part)))
      return 'is not a valid name on Windows';
  }
  return undefined;
}
