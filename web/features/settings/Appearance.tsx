import { useReadingSize, useTheme } from '#web/lib/theme.ts'
import { Card } from '#web/ui/Card.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

export function Appearance() {
  const { theme, chooseTheme } = useTheme()
  const { readingSize, chooseReadingSize } = useReadingSize()
  return (
    <Card as="section" aria-labelledby="appearance" className="flex flex-col gap-5 p-6">
      <h2 id="appearance" className="text-xl">
        Appearance
      </h2>
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
    </Card>
  )
}
