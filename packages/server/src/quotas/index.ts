export { quotaRoutes } from './routes.ts';
export { type AccountQuotas, createAccountQuotas } from './service.ts';
