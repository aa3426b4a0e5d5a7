export { createFollowers } from './followers.ts';
export { profileRoutes } from './routes.ts';
export { createProfiles, type Profiles } from './service.ts';
export { createSocials } from './socials.ts';
