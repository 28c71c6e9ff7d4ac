import { type ReactNode, useState } from 'react'
import { decisionReasonMax } from '#contract/feed/review/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { useDraftedText } from '#web/lib/editor/use-drafted-text.ts'
import { nothingStored } from '#web/lib/editor/use-editor.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'

interface DecisionChoice {
  verb: string
  /** Returns why the decision failed, as a sentence. */
  decide: (reason: string) => Promise<string | null>
}

export interface DecisionDialogProps {
  title: string
  /** The text of the only post that is decided about. */
  text?: ReactNode
  /** Names the draft of the reason. No other decision has the same name. */
  place: string
  choices: readonly DecisionChoice[]
  focusAfter?: () => HTMLElement | null
  onClose: () => void
}

/** Asks for a reason, and decides. The typed reason is kept until the server has it. */
export function DecisionDialog({ title, text, place, choices, onClose, ...rest }: DecisionDialogProps) {
  const { user } = useSession()
  const [failure, setFailure] = useState<string | null>(null)
  const [chosen, setChosen] = useState<DecisionChoice | null>(null)
  const { editor, isTooLong, field } = useDraftedText({
    owner: user?.id ?? guestId(),
    place: `decision/${place}`,
    maxLength: decisionReasonMax,
    save: async () => nothingStored,
  })

  const send = async (choice: DecisionChoice) => {
    setChosen(choice)
    setFailure(null)
    const failed = await choice.decide(editor.text.trim())
    setChosen(null)
    setFailure(failed)
    if (failed !== null) return
    await editor.save()
    onClose()
  }
  return (
    <Dialog
      {...rest}
      onClose={onClose}
      title={title}
      description="The author reads the reason in the settings, under “Your posts”. Nobody else but admins and moderators does."
      size={text === undefined ? 'field' : 'medium'}
      startsInField
      actions={choices.map((choice, place) => (
        <Button
          key={choice.verb}
          variant={place === choices.length - 1 ? 'primary' : 'quiet'}
          busy={chosen === choice}
          disabled={isTooLong || (chosen !== null && chosen !== choice)}
          onClick={() => void send(choice)}
        >
          {choice.verb}
        </Button>
      ))}
    >
      <div className="flex flex-col gap-2">
        {text}
        <TextArea label="Reason (optional)" {...field} />
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {failure}
        </p>
      </div>
      <TwoTexts editor={editor} />
    </Dialog>
  )
}
