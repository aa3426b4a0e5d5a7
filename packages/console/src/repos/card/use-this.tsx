import { Button, CopyButton, Group, Modal, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Snippet } from './snippets.ts';

/** Shows how programs get the files of a repository. */
export function UseThis(props: {
  /** What the button calls the repository. */
  readonly what: string;
  readonly repo: string;
  readonly snippets: readonly Snippet[];
}) {
  const { what, repo, snippets } = props;
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Use this {what}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Use ${repo}`}
        size="lg"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          {snippets.map(({ name, code }) => (
            <section key={name} aria-label={name}>
              <Group justify="space-between" mb={4}>
                <Title order={2}>{name}</Title>
                <CopyButton value={code}>
                  {({ copied, copy }) => (
                    <Button size="compact-sm" variant="default" aria-label={`Copy ${name}`} onClick={copy}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
              </Group>
              <pre className="code">{code}</pre>
            </section>
          ))}
        </Stack>
      </Modal>
    </>
  );
}
