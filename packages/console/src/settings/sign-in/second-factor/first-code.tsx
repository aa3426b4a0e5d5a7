import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import type { NewSecondFactor } from '@moonbase/client/second-factors';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../../ui/act.ts';
import { Refused } from '../../../ui/refused.tsx';
import { QrCode } from './qr-code.tsx';

/** Shows a new secret for an authenticator, and asks for the first code. */
export function FirstCode(props: {
  readonly made: NewSecondFactor;
  readonly changes?: readonly QueryKey[];
  /** The text of the button. */
  readonly action: string;
  readonly confirm: (code: string) => Promise<void>;
}) {
  const { made, changes = [], action, confirm } = props;
  const [code, setCode] = useState('');
  const { act, busy, error } = useAct(...changes);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(() => confirm(code));
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          Read this with an authenticator, or type the secret into it. Then enter the code that it shows.
        </Text>
        <QrCode text={made.uri} label="QR code for an authenticator" />
        <Code className="breaks">{made.secret}</Code>
        <TextInput
          label="Code of the authenticator"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Refused error={error} mt="0" />
        <Group>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
