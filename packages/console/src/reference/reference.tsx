import { Anchor, Box, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Prose } from '../ui/code/prose.tsx';
import { Moon } from '../ui/icons.tsx';
import { To } from '../ui/link.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';
import { type ApiDocument, isFound, operationIn, operationsOf } from './document.ts';
import { OperationItem } from './operation.tsx';
import { useDocument } from './use-document.ts';
import './reference.css';

/** The reference of the API for everybody: all operations by their tags, from the document that the hub serves. */
export function Reference() {
  const query = useDocument();
  useTitle('API');
  return (
    <Box component="main" maw={1080} mx="auto" p="md">
      <Group justify="space-between" mb="md">
        <Group gap="sm" wrap="nowrap">
          <Moon />
          <Title order={1}>Moonbase API</Title>
        </Group>
        <To href="/">To the console</To>
      </Group>
      <Text mb="md">
        Programs speak to this hub as to the public Hugging Face Hub: set <code>HF_ENDPOINT</code> to its address and{' '}
        <code>HF_TOKEN</code> to an access token. This page is made from{' '}
        <Anchor href="/.well-known/openapi.json" underline="always">
          its OpenAPI document
        </Anchor>
        , which generators of clients read as well. A request that is tried here is sent to this hub and does what it
        says.
      </Text>
      <Loaded query={query}>{(document) => <Operations document={document} />}</Loaded>
    </Box>
  );
}

function Operations({ document }: { readonly document: ApiDocument }) {
  const [search, setSearch] = useState('');
  const [token, setToken] = useState('');
  const [opened, toggle] = useOpened();
  const searched = useDeferredValue(search.trim());
  const operations = useMemo(() => operationsOf(document), [document]);
  const found = operations.filter((each) => isFound(each, searched));
  return (
    <>
      <Group align="end" mb="md" gap="sm">
        <TextInput
          className="grows"
          type="search"
          label="Search"
          placeholder="A path, a name or what it does"
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {/* A masked text field, because the browser would offer to store the content of a password field. */}
        <TextInput
          className="grows"
          classNames={{ input: 'masked' }}
          label="Access token for requests from this page"
          placeholder=" "
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value.trim())}
        />
      </Group>
      <Text size="sm" c="dimmed" role="status" mb="md">
        {found.length} of {operations.length} operations
      </Text>
      {found.length === 0 && (
        <Empty title="Nothing found">
          <Button variant="default" onClick={() => setSearch('')}>
            Show all
          </Button>
        </Empty>
      )}
      <Stack>
        {document.tags.map(({ name, description }) => {
          const ofTag = found.filter(({ tags }) => tags[0] === name);
          if (ofTag.length === 0) return null;
          return (
            <section key={name} aria-labelledby={`tag-${name}`}>
              <Title order={2} id={`tag-${name}`}>
                {name}
              </Title>
              <Text size="sm" c="dimmed">
                <Prose text={description} />
              </Text>
              <ul className="plain-list">
                {ofTag.map((operation) => {
                  const isOpen = opened.has(operation.operationId);
                  // Closed operations have no use for the token, and stay as they are while it is typed.
                  const known = { operation, document, toggle, isOpen, token: isOpen ? token : '' };
                  return <OperationItem key={operation.operationId} {...known} />;
                })}
              </ul>
            </section>
          );
        })}
      </Stack>
    </>
  );
}

/** Returns the open operations and a function that opens or closes one. The fragment of the URL names the last one of them. */
function useOpened(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([operationIn(window.location.hash)]));
  useEffect(() => {
    const show = () => {
      const id = operationIn(window.location.hash);
      setOpened((before) => new Set([...before, id]));
      document.getElementById(id)?.scrollIntoView();
    };
    show();
    // Links to a fragment cause it, too.
    window.addEventListener('popstate', show);
    return () => window.removeEventListener('popstate', show);
  }, []);
  const toggle = useCallback((id: string) => {
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
    window.history.replaceState(window.history.state, '', `#${id}`);
  }, []);
  return [opened, toggle];
}
