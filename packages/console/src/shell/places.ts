/** A page of the console that people go to by name, and by `g` and a key. */
export interface PlaceToGo {
  readonly href: string;
  readonly label: string;
  readonly key?: string;
}

/** The pages of the menu. */
export const MENU = {
  inbox: { href: '/inbox', label: 'Inbox', key: 'i' },
  explore: { href: '/models', label: 'Explore', key: 'm' },
  repositories: { href: '/repositories', label: 'Repositories', key: 'r' },
  webhooks: { href: '/webhooks', label: 'Webhooks', key: 'w' },
  jobs: { href: '/jobs', label: 'Jobs', key: 'j' },
  organizations: { href: '/organizations', label: 'Organizations', key: 'o' },
  settings: { href: '/settings', label: 'Settings', key: 's' },
  administration: { href: '/admin', label: 'Administration', key: 'a' },
} as const satisfies Readonly<Record<string, PlaceToGo>>;

/** Pages for everybody beside those of the menu. */
export const BESIDE_MENU: readonly PlaceToGo[] = [
  { href: '/', label: 'Home', key: 'h' },
  { href: '/datasets', label: 'Datasets', key: 'd' },
  { href: '/spaces', label: 'Spaces' },
  { href: '/kernels', label: 'Kernels' },
  { href: '/buckets', label: 'Buckets', key: 'b' },
  { href: '/collections', label: 'Collections', key: 'c' },
  { href: '/papers', label: 'Papers', key: 'p' },
  { href: '/jobs/schedules', label: 'Scheduled jobs' },
  { href: '/settings/sign-in', label: 'Password and second factor' },
  { href: '/settings/sign-ins', label: 'Recent sign-ins' },
  { href: '/settings/tokens', label: 'Access tokens', key: 't' },
  { href: '/settings/applications', label: 'Applications' },
  { href: '/settings/watching', label: 'Watching' },
  { href: '/settings/mcp', label: 'MCP tools' },
  { href: '/settings/quotas', label: 'Quotas' },
  { href: '/new', label: 'New repository' },
  { href: '/collections/new', label: 'New collection' },
  { href: '/organizations/new', label: 'New organization' },
  { href: '/webhooks/new', label: 'New webhook' },
  { href: '/jobs/new', label: 'New job' },
  { href: '/settings/tokens/new', label: 'New access token' },
];

/** Pages for site administrators. */
export const FOR_ADMINISTRATORS: readonly PlaceToGo[] = [
  MENU.administration,
  { href: '/admin/users', label: 'All users', key: 'u' },
  { href: '/admin/organizations', label: 'All organizations' },
  { href: '/admin/dead-letters', label: 'Dead letters' },
  { href: '/admin/retention', label: 'Retention' },
  { href: '/admin/settings', label: 'Settings of the hub' },
  { href: '/admin/audit-log', label: 'Audit log of the hub' },
];

/** Returns the pages that a user can go to. */
export function placesFor(isAdmin: boolean): readonly PlaceToGo[] {
  const { administration: _, ...menu } = MENU;
  return [...Object.values(menu), ...BESIDE_MENU, ...(isAdmin ? FOR_ADMINISTRATORS : [])];
}
