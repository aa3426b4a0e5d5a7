import * as z from 'zod';
import { defineRoute } from './route.ts';

const Ok = z.object({ status: z.literal('ok') });
const tags = ['service'];

export const getHealth = defineRoute({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'Check that the process is alive',
  tags,
  authority: 'public',
  answers: { 200: Ok },
});

export const getReady = defineRoute({
  id: 'getReady',
  method: 'GET',
  path: '/ready',
  summary: 'Check that the database responds and the hub is not shutting down',
  tags,
  authority: 'public',
  answers: { 200: Ok, 503: z.object({ status: z.literal('not ready'), error: z.string() }) },
});

/** The text format of Prometheus. */
export const getMetrics = defineRoute({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Get the metrics of the hub',
  tags,
  authority: 'site-admin.read',
  answers: {},
  otherAnswers: { 200: 'Figures in the text format of Prometheus.' },
});

export const getVersion = defineRoute({
  id: 'getVersion',
  method: 'GET',
  path: '/api/version',
  summary: 'Get the version of the service and of its schema',
  tags,
  authority: 'public',
  answers: { 200: z.object({ version: z.string(), schema: z.string() }) },
});

/** A client calls this before its first request; the response keeps it from asking again for a day (W§1.0-13). */
export const getAgentHarnesses = defineRoute({
  id: 'getAgentHarnesses',
  method: 'GET',
  path: '/api/agent-harnesses',
  summary: 'List known harnesses: none',
  tags,
  authority: 'public',
  answers: {
    200: z.object({ standardEnvVars: z.array(z.string()), harnesses: z.record(z.string(), z.unknown()) }),
  },
});

export const getOpenApi = defineRoute({
  id: 'getOpenApi',
  method: 'GET',
  path: '/.well-known/openapi.json',
  summary: 'Get this document',
  tags,
  authority: 'public',
  answers: { 200: z.looseObject({ openapi: z.string() }) },
});

export const serviceRoutes = [getHealth, getReady, getMetrics, getVersion, getAgentHarnesses, getOpenApi] as const;
