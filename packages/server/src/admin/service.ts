import { type ApplyDependencies, createApply } from './apply/apply.ts';

export type Admin = ReturnType<typeof createAdmin>;

export const createAdmin = (services: ApplyDependencies) => ({ apply: createApply(services) });
