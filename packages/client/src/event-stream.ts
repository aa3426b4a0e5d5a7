/** A server-sent event; the data of several lines in one text. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a response, as they come. Comments, ids and what is not finished by an empty line are passed over. */
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

/** What ends with a line break. */
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
