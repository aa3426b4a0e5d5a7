import { Badge, Box, NavLink, Stack } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useUnread } from '../inbox/counts.ts';
import { useMe } from '../session/session.tsx';
import {
  AdministrationIcon,
  ExploreIcon,
  InboxIcon,
  JobIcon,
  OrganizationIcon,
  RepositoryIcon,
  SettingsIcon,
  WebhookIcon,
} from '../ui/icons.tsx';
import { useUnwell } from '../webhooks/figures/figures.ts';
import { MENU } from './places.ts';

/** The lists beside that of the models; the pages of single repositories belong to no entry of the menu. */
const LISTS = ['/datasets', '/spaces', '/kernels', '/buckets', '/collections', '/papers'];

const PLACES = [
  { ...MENU.inbox, Icon: InboxIcon },
  { ...MENU.explore, Icon: ExploreIcon },
  { ...MENU.repositories, Icon: RepositoryIcon },
  { ...MENU.webhooks, Icon: WebhookIcon },
  { ...MENU.jobs, Icon: JobIcon },
  { ...MENU.organizations, Icon: OrganizationIcon },
  { ...MENU.settings, Icon: SettingsIcon },
] as const;
const FOR_ADMINISTRATORS = { ...MENU.administration, Icon: AdministrationIcon } as const;

export function Navigation() {
  const [path] = useLocation();
  const unread = useUnread();
  const unwell = useUnwell();
  const { data: me } = useMe();
  const places = me?.isAdmin ? [...PLACES, FOR_ADMINISTRATORS] : PLACES;
  return (
    <Stack component="nav" gap={4} h="100%" aria-label="Main">
      {places.map(({ href, label, Icon }) => {
        const here = path === href || path.startsWith(`${href}/`) || (href === '/models' && LISTS.includes(path));
        return (
          <Box key={href} pos="relative">
            <NavLink
              component={Link}
              href={href}
              label={label}
              leftSection={<Icon />}
              active={here}
              aria-current={here ? 'page' : undefined}
              className="place"
            />
            {href === '/webhooks' && unwell > 0 && (
              <Badge
                variant="filled"
                size="sm"
                color="red"
                className="place-count"
                title={`${unwell} failing or suspended`}
              >
                {unwell}
              </Badge>
            )}
            {href === '/inbox' && unread > 0 && (
              <Badge variant="filled" size="sm" className="place-count" title={`${unread} unread`}>
                {unread > 999 ? '999+' : unread}
              </Badge>
            )}
          </Box>
        );
      })}
    </Stack>
  );
}
