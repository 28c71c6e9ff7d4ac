import { useState } from 'react'
import { MonthGrid, monthOf } from '#web/features/months/index.ts'
import { todayHere } from '#web/lib/today.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useDiaryDays } from './diary-days.ts'

interface DayDialogProps {
  day: string
  onChoose: (day: string) => void
  onClose: () => void
}

/** Shows a month to choose a day of the diary, with a mark at each day that has an entry. */
export function DayDialog({ day, onChoose, onClose }: DayDialogProps) {
  const [month, setMonth] = useState(() => monthOf(day))
  const days = useDiaryDays()
  const written = new Set((days.data ?? []).map(({ entry_date }) => entry_date))
  return (
    <Dialog onClose={onClose} title="Choose a day" size="field">
      <MonthGrid
        month={month}
        today={todayHere()}
        selected={day}
        locale={navigator.language}
        marksOf={(each) => ({ diary: written.has(each) })}
        onMonth={setMonth}
        onSelect={onChoose}
      />
    </Dialog>
  )
}
