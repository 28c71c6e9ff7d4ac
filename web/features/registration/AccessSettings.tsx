import { type FormEvent, useRef, useState } from 'react'
import type { RegistrationMode } from '#contract/account/registration/rules.ts'
import { type Access, getConfig } from '#contract/app/endpoints.ts'
import {
  changeInstanceSettings,
  getInstanceSettings,
  type StoredInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import type { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'

const modes: { value: RegistrationMode; label: string; hint: string }[] = [
  { value: 'open', label: 'Open', hint: 'Everybody signs up and writes at once.' },
  { value: 'invitation', label: 'By invitation', hint: 'Only people with a link that an admin has made.' },
  { value: 'approval', label: 'With approval', hint: 'An admin decides. Until then people cannot sign in.' },
  { value: 'closed', label: 'Closed', hint: 'Nobody new can sign up. All accounts stay.' },
]

const switches = [
  {
    name: 'guests',
    label: 'Guests',
    hint: 'People can look around without an account. Guests who are here stay.',
  },
  {
    name: 'submissions',
    label: 'Submissions of visitors',
    hint: 'Visitors and guests can send posts for review.',
  },
  {
    name: 'publicRooms',
    label: 'Public Z!mmers',
    hint: 'New Z!mmers can be public. Those that are public stay so, and their stories too.',
  },
] as const

interface AccessSettingsProps {
  stored: StoredInstanceSettings
  onOutdated: () => void
}

/** Each change is saved at once, but for the question, which is saved by its button. */
export function AccessSettings({ stored, onOutdated }: AccessSettingsProps) {
  const saving = useAction(changeInstanceSettings, {
    refreshes: [getInstanceSettings, getConfig],
    failure: 'Failed to change the settings',
  })
  const [question, setQuestion] = useState(stored.registrationQuestion)
  // Shown before it is stored, and back again when it cannot be stored.
  const [chosen, setChosen] = useState<Partial<Access>>({})
  const shown = { ...stored, ...chosen }
  const base = useRef(stored.updatedAt)
  const inTurn = useRef<Promise<void>>(Promise.resolve())
  const toast = useToast()

  const saveNow = async (change: Partial<Access>) => {
    const saved = await saving.attempt({ input: { base: base.current, ...change } }, (error) => {
      setChosen({})
      if (codeOf(error) !== 'InstanceSettingsConflict') return
      base.current = ((error as RequestError).current as StoredInstanceSettings).updatedAt
      onOutdated()
    })
    if (!saved) return
    base.current = saved.updatedAt
    toast({ title: 'Saved' })
  }
  // One after the other: each change starts from the answer to the one before.
  const save = (change: Partial<Access>) => {
    setChosen((before) => ({ ...before, ...change }))
    inTurn.current = inTurn.current.then(() => saveNow(change))
  }
  const saveQuestion = (event: FormEvent) => {
    event.preventDefault()
    save({ registrationQuestion: question })
  }
  return (
    <Card as="section" aria-label="How people come in" className="flex flex-col gap-5">
      <h2 className="text-xl">How people come in</h2>
      <RadioGroup
        legend="Registration"
        options={modes}
        value={shown.registration}
        onChange={(registration) => save({ registration })}
      />
      {shown.registration === 'approval' && (
        <form className="flex flex-col gap-3" onSubmit={saveQuestion}>
          <TextField
            label="Question"
            hint="People answer it when they sign up. Leave it empty to ask nothing."
            maxLength={300}
            dir="auto"
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
          />
          <Button
            type="submit"
            variant="quiet"
            className="self-start"
            disabled={question === shown.registrationQuestion}
            busy={saving.status === 'running'}
          >
            Save the question
          </Button>
        </form>
      )}
      {switches.map(({ name, label, hint }) => (
        <Switch
          key={name}
          label={label}
          hint={hint}
          checked={shown[name]}
          onChange={(isOn) => save({ [name]: isOn })}
        />
      ))}
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {saving.error && sentenceOf(saving.error, 'This could not be saved, so it has not changed.')}
      </p>
    </Card>
  )
}
