import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import { monthName, monthOf } from './months.ts'
import { scrollToEntry } from './Paper.tsx'
import { paperPath } from './path.ts'

export function MonthJump({ entries, day }: { entries: DiaryEntry[]; day: string | null }) {
  const [, go] = useLocation()
  const [chosenDay, setChosenDay] = useState('')
  const firstDays = new Map<string, string>()
  for (const { entry_date } of entries.toReversed()) firstDays.set(monthOf(entry_date), entry_date)

  const choose = (chosen: string) => {
    setChosenDay(chosen)
    // The address of this day does not change, so the paper would not scroll.
    if (chosen === day) scrollToEntry(chosen)
    else go(paperPath(chosen), { replace: true })
  }
  // Without it, choosing the same month again would be no change. The arrow keys need the choice, so they keep it.
  const forget = () => setChosenDay('')

  return (
    <div className="max-w-48 min-w-28 flex-1">
      <SelectField
        label="Go to month"
        labelHidden
        className="max-[23.5rem]:ps-2 max-[23.5rem]:pe-8"
        options={[
          { value: '', label: 'Go to month…', disabled: true },
          ...Array.from(firstDays, ([month, firstDay]) => ({ value: firstDay, label: monthName(month) })),
        ]}
        value={chosenDay}
        onChange={choose}
        onBlur={forget}
        onPointerDown={forget}
      />
    </div>
  )
}
