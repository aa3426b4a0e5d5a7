import { Group, Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../session/session.tsx';
import { placesFor } from '../shell/places.ts';
import { useBeginsClosed } from '../ui/asking/begins-closed.ts';
import { areKeysOn, turnKeys } from '../ui/keys/setting.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands; Cmd K on a Mac'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['x', 'Select the row, in the inbox'],
  ['e', 'Mark the row or the selection as done, in the inbox'],
  ['?', 'This list'],
];

/** A dialog with the keys that act on every page, and a switch that turns single keys off. */
export function Shortcuts({ opened, close }: { readonly opened: boolean; readonly close: () => void }) {
  return (
    <Modal
      opened={useBeginsClosed(opened)}
      onClose={close}
      title="Keyboard shortcuts"
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <List />
    </Modal>
  );
}

function List() {
  const { data: me } = useMe();
  const [on, setOn] = useState(areKeysOn);
  const places = placesFor(me?.isAdmin ?? false).flatMap(({ key, label }) =>
    key === undefined ? [] : [[`g ${key}`, label] as const],
  );
  return (
    <>
      <Switch
        label="Single-key shortcuts"
        description="Ctrl K always works. No shortcut acts while you type in a field."
        checked={on}
        onChange={(event) => {
          turnKeys(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
        }}
        mb="sm"
      />
      <Table aria-label="Keyboard shortcuts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={110}>Keys</Table.Th>
            <Table.Th>What they do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...KEYS, ...places].map(([keys, does]) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Group gap={4}>
                  {keys.split(' ').map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{does}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
