import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Failure } from '../states.tsx';

/** Asks for confirmation before an action that cannot be undone. Within a `Modal.Stack`, Escape closes the question alone. */
export function Confirm(props: {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly close: () => void;
  readonly confirm: () => void;
  readonly children: ReactNode;
}) {
  const { opened, title, action, busy, error, close, confirm, children } = props;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      stackId={useId()}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && error !== undefined && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={confirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
