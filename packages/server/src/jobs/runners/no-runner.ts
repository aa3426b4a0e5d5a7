import { LaunchFailure, type Runner } from './runner.ts';

const REASON = 'This hub runs no jobs: its operator has set no runner (MOONBASE_JOBS_RUNNER)';

/** Runs no jobs. Attempts that an earlier runner started are out of its reach. */
export const noRunner: Runner = {
  name: 'none',
  note: null,
  refusal: () => ({ path: undefined, message: REASON }),
  async start() {
    throw new LaunchFailure(REASON);
  },
  inspect: async () => ({ state: 'ended', exitCode: null }),
  read: async (_key, position) => ({ bytes: Buffer.alloc(0), position }),
  async discard() {},
  async stop() {},
  async forget() {},
  async sweep() {},
};
