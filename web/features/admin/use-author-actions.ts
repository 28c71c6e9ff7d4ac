import { useState } from 'react'
import { warningMaxLength } from '#contract/abuse-reports/report.ts'
import { suspensionReasonMax } from '#contract/account/suspensions/rules.ts'
import { isBlank } from '#contract/text.ts'
import { endOf, type SuspensionChoices } from '#web/features/suspensions/index.ts'
import { useDraftedText } from '#web/lib/editor/use-drafted-text.ts'
import { nothingStored } from '#web/lib/editor/use-editor.ts'
import { serverNow } from '#web/lib/server-clock.ts'

export type AuthorActions = ReturnType<typeof useAuthorActions>

/** What an admin chooses about the author of a reported thing. The typed texts are kept until `forget`. */
export function useAuthorActions(owner: string, reportId: string) {
  const [{ warns, suspends }, setChosen] = useState({ warns: false, suspends: false })
  const [choices, setChoices] = useState<SuspensionChoices>({ end: '7', day: '', hidesTexts: false })
  const [isIncomplete, setIsIncomplete] = useState(false)
  // The call that closes the report sends these texts. Then there is nothing to keep.
  const save = async () => nothingStored
  const warning = useDraftedText({
    owner,
    place: `report-warning/${reportId}`,
    maxLength: warningMaxLength,
    save,
  })
  const reason = useDraftedText({
    owner,
    place: `report-suspension/${reportId}`,
    maxLength: suspensionReasonMax,
    save,
  })
  const end = endOf({ ...choices, kept: null, now: new Date(serverNow()) })
  const lacksWarning = warns && isBlank(warning.editor.text)
  const lacksReason = suspends && isBlank(reason.editor.text)

  /** What the call sends. Undefined while something is missing. */
  const input =
    lacksWarning || lacksReason || (suspends && 'error' in end)
      ? undefined
      : {
          ...(warns && { warning: warning.editor.text }),
          ...(suspends &&
            !('error' in end) && {
              suspension: {
                reason: reason.editor.text,
                until: end.until,
                hidesTexts: choices.hidesTexts,
              },
            }),
        }
  return {
    warns,
    suspends,
    choose: (changed: { warns?: boolean; suspends?: boolean }) =>
      setChosen((chosen) => ({ ...chosen, ...changed })),
    choices,
    chooseSuspension: (changed: Partial<SuspensionChoices>) => setChoices({ ...choices, ...changed }),
    end,
    warning,
    reason,
    isIncomplete,
    lacksWarning,
    lacksReason,
    isTooLong: (warns && warning.isTooLong) || (suspends && reason.isTooLong),
    input,
    /** Says at the fields what is missing. */
    askForMissing: () => setIsIncomplete(true),
    forget: () => Promise.all([warning.editor.save(), reason.editor.save()]),
  }
}
