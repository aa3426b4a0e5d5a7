import { Button, Group, Text } from '@mantine/core';
import { listOrganizationRepos, listRepos } from '@moonbase/client/repositories';
import { Link } from 'wouter';
import { OwnerSelect, useOwner } from '../jobs/owner.tsx';
import { useHub, useMe } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { RowEnd } from '../ui/lists/row-end.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded, Loading } from '../ui/states.tsx';

/** The repositories of the user or of a chosen organization. */
export function Repositories() {
  const owner = useOwner();
  return (
    <Page
      title="Repositories"
      actions={
        <Button component={Link} href={`/new${owner === undefined ? '' : `?owner=${encodeURIComponent(owner)}`}`}>
          New repository
        </Button>
      }
    >
      <Group mb="sm">
        <OwnerSelect />
      </Group>
      {owner === undefined ? <Loading /> : <RepositoryList owner={owner} />}
    </Page>
  );
}

function RepositoryList({ owner }: { readonly owner: string }) {
  const hub = useHub();
  const { data: me } = useMe();
  const { query, more } = useEntries(['repositories', owner], (options) =>
    owner === me?.name
      ? listRepos({ ...hub, ...options })
      : listOrganizationRepos({ ...hub, ...options, organization: owner }),
  );
  return (
    <Loaded query={query}>
      {(repos) =>
        repos.length === 0 ? (
          <Empty title="No repositories">Create one here, or with `hf repos create`.</Empty>
        ) : (
          <PagedList label="Repositories" more={more} busy={query.isPlaceholderData}>
            {repos.map(({ id, type, visibility, updatedAt }) => (
              <Group key={`${type} ${id}`} component="li" className="row" px="md" py="sm" gap="sm" wrap="nowrap">
                <div className="fills">
                  <To href={type === 'model' ? `/${id}` : `/${type}s/${id}`} className="row-title" fw={600} fz={15}>
                    {id}
                  </To>
                  <Text size="xs" c="dimmed">
                    {type}
                  </Text>
                </div>
                <RowEnd visibility={visibility} updatedAt={updatedAt} />
              </Group>
            ))}
          </PagedList>
        )
      }
    </Loaded>
  );
}
