export { personalDataRoutes } from './routes.ts';
export { sectionsFrom } from './sections.ts';
export { createPersonalData, type PersonalData } from './service.ts';
