/** The size of a measurement: a full one, or a quick one that shows that every benchmark runs. */
export interface Scale {
  readonly rounds: number;
  readonly deliveries: number;
  readonly changes: number;
  readonly latencySeconds: number;
  readonly quietChanges: number;
  readonly logEntries: number;
  readonly growthRows: number;
  readonly requests: number;
  readonly fanOut: number;
  readonly memoryDeliveries: number;
  readonly notifications: number;
  readonly members: number;
  readonly auditEvents: number;
  readonly scimUsers: number;
  readonly jobs: number;
  readonly waitingJobs: number;
  readonly jobOutputMegabytes: number;
  readonly backupRows: number;
  readonly mixedSeconds: number;
  readonly killSeconds: number;
  readonly exportSeconds: number;
  readonly workerDeliveries: number;
  readonly prunedRows: number;
  readonly groupMembers: number;
  readonly appliedUsers: number;
  readonly purgedRepos: number;
  readonly idleSeconds: number;
  readonly retries: number;
  readonly guesses: number;
  readonly strangerRounds: number;
  readonly contentCommits: number;
  readonly contentFiles: number;
  readonly contentMebibytes: number;
  readonly contentHistory: number;
  readonly contentRepos: number;
  readonly treeFiles: number;
  readonly cloneFiles: number;
  readonly clonesAtOnce: number;
  readonly pushes: number;
  readonly stalledClones: number;
  readonly upkeepCommits: number;
  readonly catalogRepos: number;
  readonly catalogWrites: number;
}

export const FULL: Scale = {
  rounds: 5,
  deliveries: 20_000,
  changes: 6_000,
  latencySeconds: 10,
  quietChanges: 200,
  logEntries: 1_000_000,
  growthRows: 10_000_000,
  requests: 20_000,
  fanOut: 10_000,
  memoryDeliveries: 100_000,
  notifications: 5_000_000,
  members: 100_000,
  auditEvents: 100_000,
  scimUsers: 10_000,
  jobs: 50,
  waitingJobs: 1_000,
  jobOutputMegabytes: 1_000,
  backupRows: 1_000_000,
  mixedSeconds: 600,
  killSeconds: 10,
  exportSeconds: 60,
  workerDeliveries: 20_000,
  prunedRows: 200_000,
  groupMembers: 10_000,
  appliedUsers: 5_000,
  purgedRepos: 50_000,
  idleSeconds: 60,
  retries: 100,
  guesses: 5_000,
  strangerRounds: 40,
  contentCommits: 400,
  contentFiles: 1_000,
  contentMebibytes: 1_024,
  contentHistory: 10_000,
  contentRepos: 100_000,
  treeFiles: 100_000,
  cloneFiles: 10_000,
  clonesAtOnce: 20,
  pushes: 100,
  stalledClones: 100,
  upkeepCommits: 100_000,
  catalogRepos: 1_000_000,
  catalogWrites: 2_000,
};

export const QUICK: Scale = {
  rounds: 1,
  deliveries: 2_000,
  changes: 1_000,
  latencySeconds: 2,
  quietChanges: 30,
  logEntries: 20_000,
  growthRows: 100_000,
  requests: 2_000,
  fanOut: 1_000,
  memoryDeliveries: 5_000,
  notifications: 100_000,
  members: 5_000,
  auditEvents: 5_000,
  scimUsers: 500,
  jobs: 5,
  waitingJobs: 100,
  jobOutputMegabytes: 50,
  backupRows: 20_000,
  mixedSeconds: 20,
  killSeconds: 5,
  exportSeconds: 10,
  workerDeliveries: 4_000,
  prunedRows: 10_000,
  groupMembers: 500,
  appliedUsers: 200,
  purgedRepos: 1_000,
  idleSeconds: 10,
  retries: 30,
  guesses: 500,
  strangerRounds: 4,
  contentCommits: 64,
  contentFiles: 100,
  contentMebibytes: 32,
  contentHistory: 100,
  contentRepos: 1_000,
  treeFiles: 2_000,
  cloneFiles: 500,
  clonesAtOnce: 4,
  pushes: 5,
  stalledClones: 20,
  upkeepCommits: 2_000,
  catalogRepos: 5_000,
  catalogWrites: 200,
};
