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
export { createHashing } from './hashing.ts'
export { addLogoutNavigation } from './logout-navigation.ts'
export { listPeople } from './queries.ts'
export { createReservedNames } from './reserved-names.ts'
export { accountRoutes } from './routes.ts'
export { emails, sessions, users } from './schema.ts'
export { findViewer, listEndedSessions, purgeSessions } from './sessions.ts'
export { settingsRoutes } from './settings.ts'
