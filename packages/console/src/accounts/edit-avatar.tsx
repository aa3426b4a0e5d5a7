import { Avatar, Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core';
import {
  deleteOrganizationAvatar,
  deleteUserAvatar,
  setOrganizationAvatar,
  setUserAvatar,
} from '@moonbase/client/avatars';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { AskedButton } from '../ui/asking/asked-button.tsx';
import { Refused } from '../ui/refused.tsx';

const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp';

/** A button with a dialog that replaces or removes the avatar of the user, or of an organization that the user administers. */
export function EditAvatar(props: {
  readonly type: 'user' | 'org';
  readonly name: string;
  readonly avatarUrl: string;
}) {
  const { type, name, avatarUrl } = props;
  const hub = useHub();
  const [opened, setOpened] = useState(false);
  const changes = [['account', name], ['me']];
  const { act, busy, error, reset } = useAct(...changes);
  const set = (picture: File | null) => {
    if (picture === null) return;
    act(() =>
      type === 'user'
        ? setUserAvatar({ ...hub, username: name, picture })
        : setOrganizationAvatar({ ...hub, name, picture }),
    );
  };
  const remove = () =>
    type === 'user' ? deleteUserAvatar({ ...hub, username: name }) : deleteOrganizationAvatar({ ...hub, name });
  return (
    <Modal.Stack>
      <Button variant="default" onClick={() => setOpened(true)}>
        Edit avatar
      </Button>
      <Modal
        opened={opened}
        onClose={() => {
          setOpened(false);
          reset();
        }}
        title={`Avatar of ${name}`}
        stackId="avatar"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Group>
            <Avatar src={avatarUrl} size={96} radius="md" alt={`Avatar of ${name}`} />
            <Text size="sm" className="fills">
              PNG, JPEG, GIF or WebP. The hub keeps the centre of the picture, as a square of at most 512 pixels.
            </Text>
          </Group>
          <Refused error={error} mt="0" />
          <Group>
            <FileButton accept={ACCEPTED} onChange={set}>
              {(button) => (
                <Button {...button} loading={busy}>
                  Choose a picture
                </Button>
              )}
            </FileButton>
            <AskedButton
              label="Use the generated picture"
              question={`Delete the picture of ${name}?`}
              action="Delete"
              size="sm"
              disabled={busy}
              does={remove}
              changes={changes}
            >
              The generated picture takes its place.
            </AskedButton>
          </Group>
        </Stack>
      </Modal>
    </Modal.Stack>
  );
}
