import { useRef } from 'react'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { SaveAs } from '#web/features/saving/index.ts'
import { monthName, monthOf } from './months.ts'
import { dayInSight } from './Paper.tsx'
import { savedMonth } from './saved-month.ts'

/** Saves the month that is in sight on the paper. The file is made in this browser: no server gets its text. */
export function SaveMonth({ entries }: { entries: DiaryEntry[] }) {
  // The menu names the month when it opens. The paper may be scrolled while the menu is open.
  const month = useRef('')
  const heading = () => {
    month.current = monthOf(dayInSight() ?? entries.at(-1)!.entry_date)
    return monthName(month.current)
  }
  return (
    <SaveAs
      what="the month"
      formats={['pdf', 'epub', 'html', 'md', 'txt']}
      heading={heading}
      read={() => savedMonth(month.current, entries)}
      icon="on phones"
    />
  )
}
