import { usePageTitle } from '#web/lib/page-title.ts'
import { useTheme } from '#web/lib/theme.ts'
import { Card } from '#web/ui/Card.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  const { theme, chooseTheme } = useTheme()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-6">
      <h1 className="text-2xl">Settings</h1>
      <Card as="section" aria-labelledby="appearance" className="p-6">
        <h2 id="appearance" className="mb-4 text-xl">
          Appearance
        </h2>
        <RadioGroup
          legend="Theme"
          inline
          options={[
            { value: 'day', label: 'Day' },
            { value: 'night', label: 'Night' },
            { value: 'system', label: 'As the system' },
          ]}
          value={theme}
          onChange={chooseTheme}
        />
      </Card>
      <DeleteAccount />
      <p className="text-sm text-ink-soft">The other settings: This part is being built</p>
    </div>
  )
}
