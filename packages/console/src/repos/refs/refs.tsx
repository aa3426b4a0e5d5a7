import { Stack } from '@mantine/core';
import { Loaded } from '../../ui/states.tsx';
import { Frame, useMayWrite } from '../frame.tsx';
import type { Place } from '../place.ts';
import { NewRef } from './new-ref.tsx';
import { RefTable } from './ref-table.tsx';
import { useRefs } from './use-refs.ts';

/** The branches and tags of a repository, with forms that create one. */
export function Refs({ place }: { readonly place: Place }) {
  const query = useRefs(place);
  const mayWrite = useMayWrite(place);
  const names = [...(query.data?.branches ?? []), ...(query.data?.tags ?? [])].map(({ name }) => name);
  return (
    <Frame
      place={place}
      actions={
        mayWrite && (
          <>
            <NewRef place={place} kind="tag" names={names} />
            <NewRef place={place} kind="branch" names={names} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ branches, tags }) => (
          <Stack gap="lg">
            <RefTable place={place} kind="branch" refs={branches} />
            <RefTable place={place} kind="tag" refs={tags} />
          </Stack>
        )}
      </Loaded>
    </Frame>
  );
}
