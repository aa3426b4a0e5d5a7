import { type AddressInfo, createServer, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail extends Email {
  /** The mail as it arrived. */
  readonly source: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly encrypted: boolean;
  readonly user: string | undefined;
  /** Returns a header by its name, unfolded. */
  header(name: string): string | undefined;
}

/** An SMTP server on loopback that accepts mails and keeps them. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Returns the mails since the last call. */
  received(): ReceivedMail[];
  /** Sets the reply to the end of each further message; undefined accepts it. */
  answer(error: { status: number; text: string } | undefined): void;
  /** Holds back the replies to messages; the returned function sends them. */
  hold(): () => void;
  /** Returns the number of messages without a reply. */
  held(): number;
  connections(): number;
}

export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: { status: number; text: string } | undefined;
  let holding: (() => void)[] | undefined;
  let connections = 0;
  const server = new SMTPServer({
    disabledCommands: options.onAuth ? [] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Clients keep their connections open.
    closeTimeout: 10,
    logger: false,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        void PostalMime.parse(source).then((email) => {
          const finish = () => {
            if (refusal) return done(Object.assign(new Error(refusal.text), { responseCode: refusal.status }));
            mails.push({
              ...email,
              source,
              envelope: {
                from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
                to: session.envelope.rcptTo.map(({ address }) => address),
              },
              encrypted: session.secure,
              user: session.user === undefined ? undefined : String(session.user),
              header: (name) => email.headers.find(({ key }) => key === name.toLowerCase())?.value,
            });
            done();
          };
          if (holding) holding.push(finish);
          else finish();
        });
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as AddressInfo;
  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    received: () => mails.splice(0),
    answer(next) {
      refusal = next;
    },
    hold() {
      holding = [];
      return () => {
        const finishing = holding ?? [];
        holding = undefined;
        for (const finish of finishing) finish();
      };
    },
    held: () => holding?.length ?? 0,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type Stage =
  | 'connect'
  | 'EHLO'
  | 'HELO'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'middle'
  | 'message'
  | 'RSET'
  | 'QUIT'
  | 'AUTH';
/** A reply, or silence, or the end of the connection; `middle` stands for each line of a message. */
export type Behaviour = `${number} ${string}` | 'hang' | 'drop';

const WELL: Record<Stage, Behaviour> = {
  connect: '220 test',
  EHLO: '250 test',
  HELO: '250 test',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  middle: 'hang',
  message: '250 taken',
  RSET: '250 ok',
  QUIT: '221 bye',
  AUTH: '235 ok',
};

/** Starts a server that misbehaves at one stage of the protocol; `messages` counts the complete messages. */
export async function startScriptedServer(script: Partial<Record<Stage, Behaviour>>) {
  const behaviours = { ...WELL, ...script };
  const sockets = new Set<Socket>();
  let messages = 0;
  const lines: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const behave = (stage: Stage) => {
      const behaviour = behaviours[stage];
      if (behaviour === 'drop') socket.destroy();
      else if (behaviour !== 'hang') socket.write(`${behaviour}\r\n`);
    };
    let inMessage = false;
    let rest = '';
    socket.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\r\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(line);
        if (inMessage) {
          if (line !== '.') {
            behave('middle');
            continue;
          }
          inMessage = false;
          messages += 1;
          behave('message');
          continue;
        }
        const stage = (line.split(' ')[0] ?? '').toUpperCase() as Stage;
        inMessage = stage === 'DATA' && behaviours.DATA.startsWith('3');
        behave(stage);
      }
    });
    behave('connect');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: () => messages,
    lines,
    behave(stage: Stage, behaviour: Behaviour) {
      behaviours[stage] = behaviour;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
