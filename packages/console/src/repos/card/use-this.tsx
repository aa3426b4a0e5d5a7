import { Button, CopyButton, Group, Modal, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { hrefOf, type Place } from '../place.ts';
import { snippetsFor } from './snippets.ts';

/** Shows how programs get the files of a repository, at the revision of the page. */
export function UseThis({ place }: { readonly place: Place }) {
  const { hubUrl } = useHub();
  const [opened, setOpened] = useState(false);
  const snippets = snippetsFor({
    ...place,
    hubUrl,
    home: hrefOf({ ...place, page: 'tree', revision: 'main', path: '' }),
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Use this {place.type === 'space' ? 'Space' : place.type}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Use ${place.repo}`}
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
