import { z } from 'zod';
import { defineRoute } from './route.ts';

const Ok = z.object({ status: z.literal('ok') });
const tags = ['service'];

export const getHealth = defineRoute({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'The process answers',
  tags,
  authority: 'public',
  answers: { 200: Ok },
});

export const getReady = defineRoute({
  id: 'getReady',
  method: 'GET',
  path: '/ready',
  summary: 'The database answers, and the hub is not stopping',
  tags,
  authority: 'public',
  answers: { 200: Ok, 503: z.object({ status: z.literal('not ready'), error: z.string() }) },
});

/** The text format of Prometheus. */
export const getMetrics = defineRoute({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  summary: 'What the hub counts and measures',
  tags,
  authority: 'site-admin.read',
  answers: {},
  otherAnswers: { 200: 'Figures in the text format of Prometheus.' },
});

export const getVersion = defineRoute({
  id: 'getVersion',
  method: 'GET',
  path: '/api/version',
  summary: 'Version of the service and of its schema',
  tags,
  authority: 'public',
  answers: { 200: z.object({ version: z.string(), schema: z.string() }) },
});

/** Asked by a client before its first request; this answer lets it keep quiet for a day (W§1.0-13). */
export const getAgentHarnesses = defineRoute({
  id: 'getAgentHarnesses',
  method: 'GET',
  path: '/api/agent-harnesses',
  summary: 'Known harnesses: none',
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
  summary: 'This document',
  tags,
  authority: 'public',
  answers: { 200: z.looseObject({ openapi: z.string() }) },
});

export const serviceRoutes = [getHealth, getReady, getMetrics, getVersion, getAgentHarnesses, getOpenApi] as const;
