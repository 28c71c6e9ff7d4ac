export { completeEntry, openDashboard } from './entering.ts'
export { NewAccountFields } from './NewAccountFields.tsx'
export { storedLinkToken } from './link-token.ts'
