export { completeEntry, openDashboard } from './entering.ts'
