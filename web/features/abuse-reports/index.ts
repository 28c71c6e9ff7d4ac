export { type Reported, useReport } from './use-report.tsx'
export { categoryNames, outcomeNames } from './words.ts'
