import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../ui/asking/confirm.tsx';
import type { NamedRepo } from '../place.ts';
import { Part } from './part.tsx';
import { useUpdate } from './update.ts';

/** Who sees a repository, and a button that changes it. */
export function Visibility({ place, isPrivate }: { readonly place: NamedRepo; readonly isPrivate: boolean }) {
  const { update, busy, error, reset } = useUpdate(place);
  const [opened, setOpened] = useState(false);
  const other = isPrivate ? 'public' : 'private';
  const close = () => {
    setOpened(false);
    reset();
  };
  return (
    <Part title="Visibility" error={undefined}>
      <Text size="sm">
        {isPrivate
          ? 'The repository is private: only its owner, or the members of the organization that owns it, can read it.'
          : 'The repository is public: every user of this hub can read it.'}
      </Text>
      <Group>
        <Button variant="default" onClick={() => setOpened(true)}>
          Make {other}
        </Button>
      </Group>
      <Confirm
        opened={opened}
        title={`Make ${place.repo} ${other}?`}
        action={`Make ${other}`}
        busy={busy}
        error={error}
        close={close}
        confirm={() => update({ visibility: other }, close)}
      >
        {isPrivate
          ? 'Every user of this hub can then read all files and all earlier commits.'
          : 'Others lose their access at once. Copies that they have made stay with them.'}
      </Confirm>
    </Part>
  );
}
