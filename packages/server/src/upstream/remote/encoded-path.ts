/** Returns a path as it stands in a URL: its parts are escaped, its slashes are not. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
