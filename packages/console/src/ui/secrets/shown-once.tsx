import { Alert, Button, Code, CopyButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A secret that the hub shows only once, with a button to copy it. */
export function ShownOnce(props: {
  readonly title: string;
  readonly value: string;
  /** The object that the button copies, as in "the link". */
  readonly what: string;
  readonly children: ReactNode;
}) {
  const { title, value, what, children } = props;
  return (
    <Alert mt="sm" p="sm" role="status" title={title}>
      <Text size="sm" mb="xs">
        {children} It is not shown again.
      </Text>
      <Code block className="breaks" mb="xs">
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy}>
            {copied ? 'Copied' : `Copy ${what}`}
          </Button>
        )}
      </CopyButton>
    </Alert>
  );
}
