/** A server-sent event; its lines of data are joined. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** One of several events, each with a name and data of its own type. */
export type NamedEvent<Events> = {
  [Name in keyof Events]: { readonly event: Name; readonly data: Events[Name] };
}[keyof Events];

/** Yields the events of a response, with the names and data types that the contract declares. */
export async function* namedEventsIn<Events>(response: Response): AsyncGenerator<NamedEvent<Events>, void, undefined> {
  // The cast is safe: servers send no other events, and readers ignore those of newer servers.
  for await (const { event, data } of eventsIn(response)) yield { event, data: JSON.parse(data) } as NamedEvent<Events>;
}

/** Yields the data of the events of a response, with the type that the contract declares. */
export async function* dataIn<Data>(response: Response): AsyncGenerator<Data, void, undefined> {
  for await (const event of eventsIn(response)) {
    const data: Data = JSON.parse(event.data);
    yield data;
  }
}

/** Yields the events of a response. Comments, ids and an unterminated last event are ignored. */
export async function* eventsIn(response: Response): AsyncGenerator<ServerSentEvent, void, undefined> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of linesOf(response)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
    }
  }
}

/** Yields the lines of a response; text after the last line break is ignored. */
async function* linesOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let rest = ''; ; ) {
      const part = await reader?.read();
      if (!part || part.done) return;
      const lines = (rest + part.value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader?.cancel();
  }
}
