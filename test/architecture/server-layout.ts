export const SERVER = 'packages/server/src/';

const SLICE_LEVELS = [
  ['audit-log'],
  ['accounts'],
  ['sign-in'],
  ['access'],
  ['repositories'],
  ['content'],
  ['cards', 'likes', 'spaces'],
  ['comments', 'catalog'],
  ['discussions', 'papers', 'posts'],
  ['collections'],
  ['quick-search'],
  ['lfs', 'git'],
  ['mirrors'],
  ['xet'],
  ['buckets'],
  ['upstream'],
  ['organizations'],
  ['resource-groups'],
  ['members'],
  ['avatars'],
  ['oauth'],
  ['watching', 'settings'],
  ['profiles'],
  ['mail'],
  ['notifications'],
  ['jobs'],
  ['webhooks'],
  ['quotas'],
  ['scim'],
  ['single-sign-on'],
  ['personal-data'],
  ['backups'],
  ['admin'],
];

/** The levels from left to right; units of one level do not know each other. */
const LEVELS = [
  ['platform'],
  ['config'],
  ...SLICE_LEVELS,
  ['tables', 'metrics'],
  ['infrastructure'],
  ['backup'],
  ['reactions', 'services'],
  ['routes', 'background'],
  ['http'],
  ['hub'],
  ['rotate-secrets', 'setup-link', 'operator-access', 'git-to-bucket', 'verify-backup'],
  ['serve'],
  ['main'],
];

const SLICES = new Set(SLICE_LEVELS.flat());
const FOLDERS = new Set(['platform', 'config', 'services', ...SLICES]);
const TOP_LEVEL_FILES = new Set([
  'main.ts',
  'config.ts',
  'tables.ts',
  'metrics.ts',
  'infrastructure.ts',
  'backup.ts',
  'rotate-secrets.ts',
  'setup-link.ts',
  'operator-access.ts',
  'git-to-bucket.ts',
  'verify-backup.ts',
  'services.ts',
  'background.ts',
  'http.ts',
  'hub.ts',
  'serve.ts',
  'routes.ts',
  'reactions.ts',
]);

export function isSlice(unit: string): boolean {
  return SLICES.has(unit);
}

export function isKnown(path: string): boolean {
  const [first = '', ...rest] = withinServer(path).split('/');
  return rest.length > 0 ? FOLDERS.has(first) : TOP_LEVEL_FILES.has(first);
}

/** Returns the folder below packages/server/src, or the name of a top-level file without its ending. */
export function unitOf(path: string): string {
  return withinServer(path).split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

export function levelOf(unit: string): number {
  return LEVELS.findIndex((names) => names.includes(unit));
}

export function withinServer(path: string): string {
  return path.slice(SERVER.length);
}
