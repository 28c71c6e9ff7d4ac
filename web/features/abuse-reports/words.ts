import type { ReportAction, ReportCategory, ReportOutcome } from '#contract/abuse-reports/report.ts'

export const categoryNames: Record<ReportCategory, string> = {
  harassment: 'Harassment or threats',
  hate: 'Hate',
  spam: 'Spam or fraud',
  private: 'Private matters of somebody',
  stolen: 'A text of somebody else',
  other: 'Something else',
}

export const outcomeNames: Record<ReportOutcome, string> = {
  removed: 'Removed',
  kept: 'Kept as it is',
  warned: 'Author warned',
}

export const actionNames: Record<ReportAction, string> = {
  hidden: 'Hidden',
  erased: 'Erased',
  warned: 'Author warned',
  suspended: 'Author suspended',
}
