import { Button, Code, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { fetchAsOwnPage } from '../session/hub.ts';
import { useSession } from '../session/session.tsx';
import { faultOf } from '../ui/fault.ts';
import type { ApiDocument, Operation } from './document.ts';
import { bodyOf, curlOf, isFile, pathOf, type TriedRequest, typeOfBody } from './example.ts';

/** The length of an answer above which the rest is not shown. */
const MAX_SHOWN = 100_000;

interface Outcome {
  readonly status: string;
  readonly type: string;
  readonly text: string;
  /** Why the rest is missing. */
  readonly end?: string;
}

/** A form for the parameters and the body of an operation, the request as a command, and what the hub answers to it. */
export function TryIt(props: {
  readonly operation: Operation;
  readonly document: ApiDocument;
  readonly token: string;
}) {
  const { operation, document, token } = props;
  const { signInState } = useSession();
  const [request, setRequest] = useState<TriedRequest>(() => ({ values: {}, body: bodyOf(operation, document) }));
  const [outcome, setOutcome] = useState<Outcome | { readonly error: string }>();
  const running = useRef<AbortController>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const type = typeOfBody(operation);

  async function send() {
    const controller = new AbortController();
    running.current = controller;
    setIsBusy(true);
    setOutcome(undefined);
    try {
      const { signal } = controller;
      const body = type !== undefined && isFile(type) ? request.file : request.body;
      const headers: Record<string, string> = body && type !== undefined ? { 'Content-Type': type } : {};
      const init = { method: operation.method, headers, signal, ...(body && { body }) };
      const url = pathOf(operation, request);
      const response = await (token === '' ? fetchAsOwnPage(url, init) : fetchWithToken(url, init, token));
      for await (const next of outcomesOf(response)) setOutcome(next);
    } catch (error) {
      const reason = controller.signal.aborted ? 'Stopped.' : faultOf(error).message;
      setOutcome((before) => (before && 'text' in before ? { ...before, end: reason } : { error: reason }));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form
      aria-label={`Try ${operation.operationId}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack gap="xs">
        <Title order={4}>Try it</Title>
        {operation.parameters.map(({ name, in: where, required }) => (
          <TextInput
            key={name}
            label={`${name} (${where})`}
            required={required}
            autoComplete="off"
            value={request.values[name] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setRequest((before) => ({ ...before, values: { ...before.values, [name]: value } }))
            }
          />
        ))}
        {type !== undefined && isFile(type) && (
          <TextInput
            type="file"
            label={`Body (${type})`}
            onChange={({ currentTarget: { files } }) => setRequest((before) => ({ ...before, file: files?.[0] }))}
          />
        )}
        {type !== undefined && !isFile(type) && (
          <Textarea
            label={`Body (${type})`}
            autosize
            minRows={3}
            maxRows={20}
            spellCheck={false}
            value={request.body}
            onChange={({ currentTarget: { value } }) => setRequest((before) => ({ ...before, body: value }))}
          />
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
        <section className="code" aria-label="As a command" tabIndex={0}>
          {curlOf(operation, request, document.servers[0]?.url ?? '')}
        </section>
        <Group gap="sm">
          <Button type="submit" disabled={isBusy}>
            Send
          </Button>
          {isBusy && (
            <Button variant="default" onClick={() => running.current?.abort()}>
              Stop
            </Button>
          )}
          <Text size="sm" c="dimmed">
            {token !== ''
              ? 'With the token above'
              : signInState.is === 'in'
                ? 'As who is signed in'
                : 'Without a token'}
          </Text>
        </Group>
        <div role="status">{outcome && <Answer outcome={outcome} />}</div>
      </Stack>
    </form>
  );
}

function Answer({ outcome }: { readonly outcome: Outcome | { readonly error: string } }) {
  if ('error' in outcome) return <Text c="red">{outcome.error}</Text>;
  return (
    <>
      <Text size="sm">
        <Code>{outcome.status}</Code> {outcome.type}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="code scrolls" aria-label="The answer" tabIndex={0}>
        {outcome.text}
      </section>
      {outcome.end !== undefined && <Text size="sm">{outcome.end}</Text>}
    </>
  );
}

/** Sends a request as the owner of a token and nobody else. */
function fetchWithToken(url: string, init: RequestInit, token: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${token}`);
  return fetch(url, { ...init, headers, credentials: 'omit' });
}

/** Reads an answer up to the length that is shown, and returns what is there after each part. JSON is shown in lines. */
async function* outcomesOf(response: Response): AsyncGenerator<Outcome> {
  const type = response.headers.get('content-type') ?? '';
  const status = `${response.status} ${response.statusText}`.trim();
  const isText = /^text\/|json|xml|javascript|yaml/.test(type);
  if (!isText && response.body) {
    await response.body.cancel();
    yield { status, type, text: 'Not text, and therefore not shown.' };
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    text += next.value;
    if (text.length > MAX_SHOWN) {
      await reader?.cancel();
      yield { status, type, text: text.slice(0, MAX_SHOWN), end: 'The rest is not shown.' };
      return;
    }
    yield { status, type, text };
  }
  yield { status, type, text: type.includes('json') ? inLines(text) : text };
}

function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
