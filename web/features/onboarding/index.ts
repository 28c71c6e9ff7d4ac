export { completeEntry, openDashboard } from './entering.ts'
export { storedLinkToken } from './link-token.ts'
