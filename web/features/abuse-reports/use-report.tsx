import { type ReactNode, useState } from 'react'
import type { ReportKind } from '#contract/abuse-reports/report.ts'
import { failedDialog, part } from '#web/ui/part.tsx'

export interface Reported {
  kind: ReportKind
  id: string
}

/**
 * Reports something to the admins. Show `dialog` once: it is empty until `report` is called. Offer it to registered people
 * only, and not for what they wrote themselves.
 */
export function useReport(): { report: (reported: Reported) => void; dialog: ReactNode } {
  const [reported, setReported] = useState<Reported | null>(null)
  return {
    report: setReported,
    dialog: reported && <ReportDialog reported={reported} onClose={() => setReported(null)} />,
  }
}

const ReportDialog = part(async () => (await import('./ReportDialog.tsx')).ReportDialog, failedDialog)
