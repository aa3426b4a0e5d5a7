import { Select } from '@mantine/core';
import { type ResourceGroup, setCollectionResourceGroup, setRepoResourceGroup } from '@moonbase/client/resource-groups';
import { useState } from 'react';
import { pathOfCollection } from '../../collections/path.ts';
import { hrefOf } from '../../repos/place.ts';
import { useHub } from '../../session/session.tsx';
import { oneOf } from '../../ui/chosen.ts';
import { useOrganizationName } from '../organization.tsx';
import { GroupThings } from './group-things.tsx';

const TYPES = ['model', 'dataset', 'space', 'bucket', 'kernel'] as const;
type Type = (typeof TYPES)[number];
/** The first page of a repository. */
const ROOT = { page: 'tree', revision: 'main', path: '' } as const;

/** The repositories of a resource group. */
export function GroupRepos({ group }: { readonly group: ResourceGroup }) {
  const organization = useOrganizationName();
  const hub = useHub();
  const [type, setType] = useState<Type>('model');
  const put = (repo: { readonly type: Type; readonly repo: string }, resourceGroupId: string | null) =>
    setRepoResourceGroup({ ...hub, ...repo, resourceGroupId });
  return (
    <GroupThings
      group={group}
      kind="repository"
      things={group.repos.map(({ type, name }) => ({
        key: `${type} ${name}`,
        type,
        name,
        href: type === 'bucket' ? `/buckets/${name}` : hrefOf({ ...ROOT, type, repo: name }),
        remove: () => put({ type, repo: name }, null),
      }))}
      placeholder="bert"
      beside={
        <Select
          label="Type"
          w={150}
          allowDeselect={false}
          data={TYPES}
          value={type}
          onChange={(text) => setType(oneOf(TYPES, text) ?? type)}
        />
      }
      add={(given) => put({ type, repo: given.includes('/') ? given : `${organization}/${given}` }, group.id)}
    />
  );
}

/** The collections of a resource group. */
export function GroupCollections({ group }: { readonly group: ResourceGroup }) {
  const organization = useOrganizationName();
  const hub = useHub();
  /** Puts the collection that a slug, or the address of its page, names; a slug may be without its namespace. */
  const put = (text: string, resourceGroupId: string | null) => {
    const [slug = '', namespace = organization] = text.split('/').reverse();
    return setCollectionResourceGroup({ ...hub, namespace, slug, resourceGroupId });
  };
  return (
    <GroupThings
      group={group}
      kind="collection"
      things={group.collections.map(({ slug, title }) => ({
        key: slug,
        type: 'collection',
        name: title,
        href: pathOfCollection(slug),
        remove: () => put(slug, null),
      }))}
      placeholder="Its slug, or the address of its page"
      add={(given) => put(given, group.id)}
      changes={[['collections']]}
    />
  );
}
