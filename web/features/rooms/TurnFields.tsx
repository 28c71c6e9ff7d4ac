import {
  defaultTurnLength,
  isSlow,
  passageLengths,
  slowTurnLengths,
  turnLengths,
  type TurnRule,
  turnRules,
} from '#contract/rooms/table/table.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { passageMaxOf, type RoomChoices, withTurnSeconds } from './room-draft.ts'

interface TurnFieldsProps {
  choices: RoomChoices
  choose: (part: Partial<RoomChoices>) => void
}

/** Who may write when, and for a room with turns what a turn is. */
export function TurnFields({ choices, choose }: TurnFieldsProps) {
  const { turns, turnSeconds, isFolded } = choices
  return (
    <>
      <SelectField
        label="Turns"
        name="turns"
        value={turns}
        hint={hints[turns]}
        options={turnRules.map((rule) => ({ value: rule, label: labels[rule] }))}
        onChange={(rule) =>
          // Only turns can last hours.
          choose({ turns: rule, ...(rule === 'free' && withTurnSeconds(choices, defaultTurnLength)) })
        }
      />
      {turns !== 'free' && (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <SelectField
              label="Length of a turn"
              name="turnSeconds"
              value={turnSeconds}
              hint={
                isSlow(choices) ? 'You need not wait: the bell tells you when it is your turn.' : undefined
              }
              options={lengths.map((seconds) => ({ value: seconds, label: lengthOf(seconds) }))}
              onChange={(seconds) => choose(withTurnSeconds(choices, seconds))}
            />
            <SelectField
              label="Length of a passage"
              name="passageMax"
              value={passageMaxOf(choices)}
              options={passageLengths.map((letters) => ({
                value: letters,
                label: `${letters.toLocaleString('en-US')} letters`,
              }))}
              onChange={(letters) => choose({ passageMax: letters })}
            />
          </div>
          <Switch
            label="Fold the story"
            hint="Nobody reads it until the end. Whoever has the turn sees the last line before it."
            checked={isFolded}
            onChange={(isOn) => choose({ isFolded: isOn })}
          />
        </>
      )}
    </>
  )
}

const labels: Record<TurnRule, string> = {
  free: 'Everybody at any time',
  baton: 'Hand it on',
  round: 'In a round',
}

const hints: Record<TurnRule, string | undefined> = {
  free: undefined,
  baton: 'One person writes, and may choose who is next.',
  round: 'One person writes after the other, in the order in which they sat down.',
}

const lengths = [...turnLengths, ...slowTurnLengths]

function lengthOf(seconds: number): string {
  if (seconds >= 3600) return `${seconds / 3600} hours`
  return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`
}
