import { useReadingSize, useTheme } from '#web/lib/theme.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

export function Appearance() {
  const [theme, chooseTheme] = useTheme()
  const [readingSize, chooseReadingSize] = useReadingSize()
  return (
    <TitledCard title="Appearance" className="flex flex-col gap-5 p-6">
      <RadioGroup
        legend="Theme"
        inline
        options={[
          { value: 'day', label: 'Day' },
          { value: 'night', label: 'Night' },
          { value: 'system', label: 'Match system' },
        ]}
        value={theme}
        onChange={chooseTheme}
      />
      <RadioGroup
        legend="Reading size"
        inline
        options={[
          { value: 'small', label: 'Small' },
          { value: 'medium', label: 'Medium' },
          { value: 'large', label: 'Large' },
        ]}
        value={readingSize}
        onChange={chooseReadingSize}
      />
      <p className="reading">Posts, stories and your diary are shown like this.</p>
    </TitledCard>
  )
}
