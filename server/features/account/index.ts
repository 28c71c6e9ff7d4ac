export {
  AccountRefused,
  ensureDemoAccount,
  ensureFirstAdmin,
  grantAdmin,
  purgeGuests,
  removeAccount,
  removeAccountByEmail,
  revokeAdmin,
  setPassword,
} from './accounts.ts'
export { createDevices } from './devices.ts'
export { createHashing, type Hashing } from './hashing.ts'
export { addLogoutNavigation } from './logout-navigation.ts'
export { countPeople, hasAdmin, listNames, listPeople, lockPersonForDeletion } from './queries.ts'
export { createReservedNames } from './reserved-names.ts'
export { accountRoutes } from './routes.ts'
export { emails, fullName, personName, sessions, users } from './schema.ts'
export { findViewer, listEndedSessions, purgeSessions } from './sessions.ts'
export { settingsRoutes } from './settings.ts'
