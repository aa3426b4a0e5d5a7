import { Code, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { Prose } from '../ui/code/prose.tsx';
import type { ApiDocument, Content, Operation } from './document.ts';
import { SchemaView } from './schema-view.tsx';
import { TryIt } from './try-it.tsx';

interface Props {
  readonly operation: Operation;
  readonly document: ApiDocument;
  readonly token: string;
}

/** The line of an operation, which opens what is known of it. */
export const OperationItem = memo(function OperationItem(
  props: Props & { readonly isOpen: boolean; readonly toggle: (id: string) => void },
) {
  const { operation, isOpen, toggle } = props;
  const { operationId: id, method, path, summary } = operation;
  return (
    <li className="row operation" id={id}>
      <h3 className="operation-head">
        <UnstyledButton
          w="100%"
          p="xs"
          aria-expanded={isOpen}
          {...(isOpen && { 'aria-controls': `${id}-details` })}
          onClick={() => toggle(id)}
        >
          <span className={`method method-${method.toLowerCase()}`}>{method}</span>{' '}
          <code className="breaks">{path}</code>{' '}
          <Text span size="sm" c="dimmed">
            {summary}
          </Text>
        </UnstyledButton>
      </h3>
      {isOpen && (
        <div id={`${id}-details`}>
          <Details {...props} />
        </div>
      )}
    </li>
  );
});

function Details({ operation, document, token }: Props) {
  const { operationId, description, parameters, requestBody, responses, security } = operation;
  return (
    <Stack p="xs" gap="sm">
      {description && (
        <Text className="keeps-lines breaks">
          <Prose text={description} />
        </Text>
      )}
      <Text size="sm" c="dimmed">
        <Code>{operationId}</Code> · {accessOf(security)}
      </Text>
      {parameters.length > 0 && (
        <section aria-label="Parameters">
          <Title order={4}>Parameters</Title>
          <ul className="schema-parts">
            {parameters.map(({ name, in: where, required, schema }) => (
              <li key={name}>
                <SchemaView document={document} given={schema} name={`${name} (${where})`} isRequired={required} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {requestBody && (
        <section aria-label="Body">
          <Title order={4}>Body{requestBody.required ? '' : ' (optional)'}</Title>
          {requestBody.description && (
            <Text size="sm">
              <Prose text={requestBody.description} />
            </Text>
          )}
          <ContentView content={requestBody.content} document={document} opened />
        </section>
      )}
      <section aria-label="Responses">
        <Title order={4}>Responses</Title>
        {Object.entries(responses).map(([status, response]) => (
          <div key={status}>
            <Code>{status}</Code> <Prose text={response.description} />
            {response.content && (
              <ContentView content={response.content} document={document} opened={Number(status) < 300} />
            )}
          </div>
        ))}
      </section>
      <TryIt operation={operation} document={document} token={token} />
    </Stack>
  );
}

/** Says whether credentials are needed: an empty list needs none, and an empty requirement leaves them out. */
function accessOf(security: Operation['security']): string {
  if (security?.length === 0) return 'no token needed';
  const isOpen = security?.some((each) => Object.keys(each).length === 0) ?? false;
  return isOpen ? 'a token, or none for what is public' : 'needs a token';
}

function ContentView(props: { readonly content: Content; readonly document: ApiDocument; readonly opened: boolean }) {
  const { content, document, opened } = props;
  return Object.entries(content).map(([type, { schema }]) => (
    <div key={type} className="schema-parts">
      <Text span size="sm" c="dimmed">
        {type}
      </Text>
      {schema && <SchemaView document={document} given={schema} opened={opened} />}
    </div>
  ));
}
