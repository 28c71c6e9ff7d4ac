export { type Reported, useReport } from './use-report.tsx'
export { actionNames, categoryNames, outcomeNames } from './words.ts'
