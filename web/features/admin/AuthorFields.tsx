import type { ReactNode } from 'react'
import type { AbuseReport } from '#contract/abuse-reports/report.ts'
import { SuspensionFields } from '#web/features/suspensions/index.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { AuthorActions } from './use-author-actions.ts'

/** Asks whether the author of the reported thing, or the reported person, is warned and suspended. */
export function AuthorFields({ report: { kind, copy }, of }: { report: AbuseReport; of: AuthorActions }) {
  const { warns, suspends, warning, reason, choices, end, isIncomplete } = of
  const who = kind === 'person' ? 'person' : 'author'
  const legend = <legend className="mb-2 font-medium">The {who}</legend>
  if (copy.authorId === null)
    return (
      <fieldset>
        {legend}
        <p className="text-ink-soft">The {who} has no account, so nobody can be warned or suspended.</p>
      </fieldset>
    )
  const name = copy.authorName
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      {legend}
      <Choice
        label={
          <span>
            Warn <bdi>{name}</bdi>
          </span>
        }
        hint="The notification stands in the bell of the person. No mail is sent, and nobody else reads it."
        isChosen={warns}
        onChange={(chosen) => of.choose({ warns: chosen })}
      >
        <TextArea
          label="What the person reads"
          dir="auto"
          {...warning.field}
          error={
            isIncomplete && of.lacksWarning
              ? 'Please write what the person should read.'
              : warning.field.error
          }
        />
      </Choice>
      <Choice
        label={
          <span>
            Suspend <bdi>{name}</bdi>
          </span>
        }
        hint="All sessions end at once, and the person reads the reason at sign-in. It replaces a suspension that has not ended. You can lift it under User Management."
        isChosen={suspends}
        onChange={(chosen) => of.choose({ suspends: chosen })}
      >
        <TextArea
          label="Reason, which the person reads"
          dir="auto"
          {...reason.field}
          error={isIncomplete && of.lacksReason ? 'Please write a reason.' : reason.field.error}
        />
        <SuspensionFields
          name={name}
          choices={choices}
          end={end}
          isIncomplete={isIncomplete}
          onChange={of.chooseSuspension}
        />
      </Choice>
    </fieldset>
  )
}

interface ChoiceProps {
  label: ReactNode
  hint: string
  isChosen: boolean
  onChange: (isChosen: boolean) => void
  /** Shown while it is chosen. */
  children: ReactNode
}

const Choice = ({ label, hint, isChosen, onChange, children }: ChoiceProps) => (
  <div className="flex flex-col gap-3">
    <div>
      <Checkbox label={label} checked={isChosen} onChange={(event) => onChange(event.target.checked)} />
      <p className="ps-7 text-xs text-ink-soft">{hint}</p>
    </div>
    {isChosen && <div className="flex flex-col gap-4 border-s-2 border-edge ps-4">{children}</div>}
  </div>
)
