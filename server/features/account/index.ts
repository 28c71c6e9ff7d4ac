import type { Feature } from '#server/feature.ts'
import { purgeGuests } from './accounts.ts'
import { apiTokenRoutes } from './api-token-routes.ts'
import { purgeApiTokens } from './api-tokens.ts'
import { addLogoutNavigation } from './logout-navigation.ts'
import { ownSessionRoutes } from './own-sessions.ts'
import { accountRoutes, type Deps } from './routes.ts'
import { purgeSessions } from './sessions.ts'
import { type Deps as SettingsDeps, settingsRoutes } from './settings.ts'
import { purgeLinks } from './registration-links.ts'
import { purgeRequests } from './registration-requests.ts'
import { type Deps as RegistrationDeps, registrationRoutes } from './registration-routes.ts'
import { setupRoutes } from './setup.ts'
import { moderatorRoutes } from './moderator-routes.ts'
import { suspensionRoutes } from './suspension-routes.ts'
import { purgeSuspensions } from './suspensions.ts'

export {
  ensureDemoAccount,
  ensureFirstAdmin,
  grantAdmin,
  removeAccount,
  removeAccountByEmail,
  revokeAdmin,
  setPassword,
} from './accounts.ts'
export { findTokenViewer } from './api-tokens.ts'
export {
  confirmationsOfEmail,
  type EmailOfPerson,
  findConfirmedEmail,
  findEmail,
  setEmailConfirmed,
} from './email-addresses.ts'
export { enter } from './entering.ts'
export { findExportViewer, isExportToken } from './export-tokens.ts'
export { requireFreshSignIn } from './fresh-sign-in.ts'
export { createHashing, type Hashing } from './hashing.ts'
export { createJoin, type JoinDeps, registrations } from './join.ts'
export { grantModerator, revokeModerator } from './moderator-commands.ts'
export { mayModerate } from './moderators.ts'
export { refusalOfPassword } from './passwords.ts'
export {
  type Account,
  changeSecret,
  countPeople,
  findAccount,
  hasAdmin,
  isEmailTaken,
  listNames,
  listPeople,
  lockAccountWithSecret,
  lockPeople,
  lockPerson,
  lockPersonForDeletion,
} from './queries.ts'
export { countRequests } from './registration-requests.ts'
export { createReservedNames } from './reserved-names.ts'
export { apiTokens, emails, fullName, personId, personName, sessions, users } from './schema.ts'
export { endSessionsOf, findViewer, isOpen, listEndedSessions } from './sessions.ts'
export { offerSetup } from './setup-code.ts'
export { lockActorAndAccount, suspend } from './suspend.ts'
export { findSuspension, hasHiddenTexts, isSuspended, peopleWithHiddenTexts } from './suspensions.ts'

export const feature = {
  purges: {
    sessions: ({ database }, signal) => purgeSessions(database, signal),
    apiTokens: ({ database }, signal) => purgeApiTokens(database, signal),
    guests: purgeGuests,
    registrationLinks: ({ database }, signal) => purgeLinks(database, signal),
    registrationRequests: ({ database }, signal) => purgeRequests(database, signal),
    suspensions: ({ database }, signal) => purgeSuspensions(database, signal),
  },
  start: (deps: Deps & RegistrationDeps & SettingsDeps) => ({
    routes: [
      ...accountRoutes(deps),
      ...ownSessionRoutes,
      ...apiTokenRoutes,
      ...registrationRoutes(deps),
      ...settingsRoutes(deps),
      ...setupRoutes(deps),
      ...suspensionRoutes(deps),
      ...moderatorRoutes,
    ],
    serve: (server) => addLogoutNavigation(server, deps),
  }),
} satisfies Feature
