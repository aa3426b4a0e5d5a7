import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { createUser } from '@moonbase/client/admin';
import { createUserLink } from '@moonbase/client/authentication';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { NAME_INPUT } from '../../ui/forms/name-input.ts';
import { Refused } from '../../ui/refused.tsx';
import { UserLink } from './user-link.tsx';

const EMPTY = { name: '', fullname: '', email: '', admin: false };

/** Creates a user, and a link by which the user sets a password. */
export function NewUser() {
  const hub = useHub();
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState(EMPTY);
  const [link, setLink] = useState<string>();
  const { act, busy, error, reset } = useAct(['admin', 'Users']);
  const change = (changed: Partial<typeof EMPTY>) => {
    setDraft({ ...draft, ...changed });
    reset();
  };
  const close = () => {
    setOpened(false);
    setDraft(EMPTY);
    setLink(undefined);
    reset();
  };
  const create = async () => {
    const { name, fullname, email, admin } = draft;
    await createUser({
      ...{ ...hub, name: name.trim(), isAdmin: admin },
      ...(fullname.trim() !== '' && { fullname: fullname.trim() }),
      ...(email.trim() !== '' && { email: email.trim() }),
    });
    setLink((await createUserLink({ ...hub, username: name.trim(), purpose: 'invite' })).url);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>New user</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={link === undefined ? 'New user' : draft.name.trim()}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {link !== undefined ? (
          <UserLink purpose="invite" name={draft.name.trim()} url={link} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              act(create);
            }}
          >
            <Stack>
              <TextInput
                label="User name"
                description="Letters, digits and single dashes; the user may choose another one."
                {...NAME_INPUT}
                maxLength={42}
                data-autofocus
                required
                withAsterisk={false}
                value={draft.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
              <TextInput
                label="Full name"
                autoComplete="off"
                maxLength={200}
                value={draft.fullname}
                onChange={(event) => change({ fullname: event.currentTarget.value })}
              />
              <TextInput
                label="E-mail address"
                description="It counts as confirmed: be sure of it."
                type="email"
                autoComplete="off"
                maxLength={254}
                value={draft.email}
                onChange={(event) => change({ email: event.currentTarget.value })}
              />
              <Checkbox
                label="Site administrator"
                checked={draft.admin}
                onChange={(event) => change({ admin: event.currentTarget.checked })}
              />
              <Refused error={error} mt="0" />
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button type="submit" loading={busy} disabled={draft.name.trim() === ''}>
                  Create user
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
