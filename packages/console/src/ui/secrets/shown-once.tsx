import { Alert, Button, Code, CopyButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A secret that the hub tells only once, to be copied. */
export function ShownOnce(props: {
  readonly title: string;
  readonly value: string;
  /** What the button copies, as in "the link". */
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
