import { useRef } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextArea } from './TextArea.tsx'
import type { Conflict, TwoTextsProps } from './TwoTexts.tsx'

interface TwoTextsDialogProps extends TwoTextsProps {
  conflict: Conflict
  onClose: () => void
}

/** Shows two versions of a text and lets the writer choose. */
export function TwoTextsDialog({ editor, conflict, field, onKeptThis, onClose }: TwoTextsDialogProps) {
  const { keepThis, takeOther, keepBoth } = editor
  const { here, other, isSaved } = conflict
  const keepsBoth = useRef(false)
  return (
    <Dialog
      size="large"
      title="Two versions of this text"
      description="Nothing is replaced until you choose."
      focusAfter={() => (keepsBoth.current ? (field?.current ?? null) : null)}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={() => void takeOther()}>
            Use the other version
          </Button>
          <Button
            variant="quiet"
            onClick={() => void keepThis().then(() => (isSaved ? onKeptThis?.() : undefined))}
          >
            Keep this version
          </Button>
          <Button
            onClick={() => {
              keepsBoth.current = true
              void keepBoth()
            }}
          >
            Keep both
          </Button>
        </>
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <TextArea label="Written here" className="reading" rows={12} readOnly value={here} />
        <TextArea
          label={isSaved ? 'Saved elsewhere' : 'Written in another tab, now closed'}
          className="reading"
          rows={12}
          readOnly
          value={other}
        />
      </div>
    </Dialog>
  )
}
