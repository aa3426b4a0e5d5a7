/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What goes on after a 202; never rejects. Some runtimes end it with the answer unless they are told to wait. */
  readonly unfinished?: Promise<unknown>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

export const json = (status: number, text: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE,
  body: text,
});

export const refusal = (status: number, error: string, headers?: Readonly<Record<string, string>>): Answer =>
  json(status, JSON.stringify({ error }), headers);
