export const SERVER = 'packages/server/src/';

const SLICE_LEVELS = [
  ['audit-log'],
  ['accounts'],
  ['access'],
  ['repositories'],
  ['comments'],
  ['discussions', 'papers', 'posts'],
  ['organizations'],
  ['resource-groups'],
  ['members'],
  ['avatars'],
  ['profiles'],
  ['watching', 'settings'],
  ['mail'],
  ['notifications'],
  ['jobs'],
  ['webhooks'],
  ['scim'],
  ['admin'],
];

/** From left to right: what stands at one level does not know each other. */
const LEVELS = [
  ['platform'],
  ['config'],
  ['infrastructure'],
  ['backup'],
  ...SLICE_LEVELS,
  ['reactions', 'services'],
  ['routes', 'background'],
  ['http'],
  ['hub'],
  ['rotate-secrets'],
  ['serve'],
  ['main'],
];

const SLICES = new Set(SLICE_LEVELS.flat());
const FOLDERS = new Set(['platform', 'config', ...SLICES]);
const TOP_LEVEL_FILES = new Set([
  'main.ts',
  'config.ts',
  'infrastructure.ts',
  'backup.ts',
  'rotate-secrets.ts',
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

/** The folder below packages/server/src, or the top-level file's name without its ending. */
export function unitOf(path: string): string {
  return withinServer(path).split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

export function levelOf(unit: string): number {
  return LEVELS.findIndex((names) => names.includes(unit));
}

export function withinServer(path: string): string {
  return path.slice(SERVER.length);
}
