import { LocalTime, zoneSentence } from '#web/features/posts/index.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { ChosenEnd, EndChoice, SuspensionChoices } from './end-choice.ts'

interface SuspensionFieldsProps {
  name: string
  choices: SuspensionChoices
  end: ChosenEnd
  /** Whether there is a suspension whose end can stay. */
  mayStay?: boolean
  isIncomplete: boolean
  onChange: (changed: Partial<SuspensionChoices>) => void
}

/** Asks until when a person is suspended, and whether what the person has published is hidden. */
export function SuspensionFields({
  name,
  choices: { end: choice, day, hidesTexts },
  end,
  mayStay = false,
  isIncomplete,
  onChange,
}: SuspensionFieldsProps) {
  return (
    <>
      <div className="flex flex-col gap-3">
        <RadioGroup<EndChoice>
          legend="End"
          inline
          options={mayStay ? [{ value: 'kept', label: 'As it is' }, ...ends] : ends}
          value={choice}
          onChange={(chosen) => onChange({ end: chosen })}
        />
        {choice === 'day' && (
          <TextField
            label="First day on which the person can sign in again"
            type="date"
            value={day}
            error={isIncomplete && 'error' in end ? end.error : undefined}
            onChange={(event) => onChange({ day: event.target.value })}
          />
        )}
        <p className="text-ink-soft">
          {'error' in end || end.until === null ? (
            choice === 'day' ? (
              'Until the start of that day.'
            ) : (
              'Until an admin or moderator lifts the suspension.'
            )
          ) : (
            <>
              <bdi>{name}</bdi> can sign in again from <LocalTime at={end.until} />. {zoneSentence()}
            </>
          )}
        </p>
      </div>
      <div>
        <Checkbox
          label="Hide what the person has published"
          checked={hidesTexts}
          onChange={(event) => onChange({ hidesTexts: event.target.checked })}
        />
        <p className="ps-7 text-xs text-ink-soft">
          Posts, the page of the person and passages in public Z!mmers, until the suspension ends. Messages to
          friends stay.
        </p>
      </div>
    </>
  )
}

const ends = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: 'day', label: 'Until a day' },
  { value: 'forGood', label: 'For good' },
] as const
