import { useShowsOnThisDay } from '#web/features/diary/index.ts'
import { Switch } from '#web/ui/Switch.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'

export function Diary() {
  const [isOn, change] = useShowsOnThisDay()
  return (
    <TitledCard title="Diary" className="flex flex-col gap-4 p-6">
      <Switch
        label="Show On This Day"
        hint="What you wrote on the same day in earlier years, below the diary and the calendar of this browser."
        checked={isOn}
        onChange={change}
      />
    </TitledCard>
  )
}
