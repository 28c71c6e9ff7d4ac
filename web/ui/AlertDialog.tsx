import { AlertDialog as Radix } from 'radix-ui'
import { Button } from './Button.tsx'
import { useFocusReturn } from './use-focus-return.ts'

interface AlertDialogProps {
  text: string
  /** The button that says yes: 'OK', or the verb of what will be done. */
  verb: string
  /** With a way out it is a question, without one a notice. */
  canCancel?: boolean
  /** The deed cannot be undone. */
  danger?: boolean
  onAnswer: (yes: boolean) => void
}

/** Shown by `useAlert` and `useConfirm`; pages use those. */
export function AlertDialog({ text, verb, canCancel = false, danger = false, onAnswer }: AlertDialogProps) {
  const focusReturn = useFocusReturn()
  return (
    <Radix.Root open onOpenChange={(open) => !open && onAnswer(false)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 data-[state=open]:animate-appear bg-scrim" />
        <Radix.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed inset-0 z-50 m-auto h-fit max-h-[90dvh] w-[calc(100%-2rem)] max-w-md data-[state=open]:animate-rise overflow-y-auto rounded-lg border border-line bg-surface p-6 text-ink shadow-float outline-none"
        >
          <Radix.Title className="font-serif text-lg whitespace-pre-line">{text}</Radix.Title>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            {canCancel && (
              <Radix.Cancel asChild>
                <Button variant="quiet">Cancel</Button>
              </Radix.Cancel>
            )}
            <Button variant={danger ? 'danger' : 'primary'} onClick={() => onAnswer(true)}>
              {verb}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
