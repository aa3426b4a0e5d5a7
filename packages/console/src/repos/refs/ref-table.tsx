import { Button, Table, Text, Title } from '@mantine/core';
import { deleteBranch, deleteTag } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { To } from '../../ui/link.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { useMayWrite } from '../frame.tsx';
import { hrefOf, type Place } from '../place.ts';
import type { Ref } from './use-refs.ts';

const WORDS = {
  branch: { title: 'Branches', none: 'There are no branches yet: the first commit makes one.' },
  tag: { title: 'Tags', none: 'There are no tags yet. A tag gives a commit a name that lasts.' },
} as const;

/** The branches or the tags of a repository, with a button that deletes one. */
export function RefTable(props: {
  readonly place: Place;
  readonly kind: keyof typeof WORDS;
  readonly refs: readonly Ref[];
}) {
  const { place, kind, refs } = props;
  const { title, none } = WORDS[kind];
  const mayWrite = useMayWrite(place);
  return (
    <section aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {refs.length === 0 ? (
        <Text c="dimmed" size="sm">
          {none}
        </Text>
      ) : (
        <DataTable label={title} columns={['Name', 'Commit', ...(mayWrite ? ['Actions'] : [])]}>
          {refs.map((each) => (
            <Table.Tr key={each.ref}>
              <Table.Td className="breaks">
                <To href={hrefOf({ ...place, page: 'tree', revision: each.name, path: '' })} fw={600}>
                  {each.name}
                </To>
              </Table.Td>
              <Table.Td>
                <To
                  href={hrefOf({ ...place, page: 'commit', revision: each.targetCommit, path: '' })}
                  ff="monospace"
                  size="xs"
                >
                  {each.targetCommit.slice(0, 10)}
                </To>
              </Table.Td>
              {mayWrite && (
                <Table.Td>
                  {!(kind === 'branch' && each.name === 'main') && (
                    <DeleteRef place={place} kind={kind} name={each.name} />
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function DeleteRef(props: { readonly place: Place; readonly kind: keyof typeof WORDS; readonly name: string }) {
  const { kind, name } = props;
  const { type, repo } = props.place;
  const hub = useHub();
  const [opened, setOpened] = useState(false);
  const { act, busy, error, reset } = useAct(['refs', type, repo]);
  const close = () => {
    setOpened(false);
    reset();
  };
  const one = { ...hub, type, repo };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Delete the ${kind} ${name}`}
        onClick={() => setOpened(true)}
      >
        Delete
      </Button>
      <Confirm
        opened={opened}
        title={`Delete the ${kind} ${name}?`}
        action="Delete"
        busy={busy}
        error={error}
        close={close}
        confirm={() =>
          act(
            () => (kind === 'branch' ? deleteBranch({ ...one, branch: name }) : deleteTag({ ...one, tag: name })),
            close,
          )
        }
      >
        {kind === 'branch'
          ? `Commits of ${name} that no other branch or tag contains can no longer be found.`
          : `The commit stays; ${name} no longer leads to it.`}
      </Confirm>
    </>
  );
}
