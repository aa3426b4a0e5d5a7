import type pg from 'pg';
import { onDemand } from '../../on-demand.ts';

/** Returns the driver of PostgreSQL. */
export const postgresDriver = () => onDemand<typeof pg>('pg');
