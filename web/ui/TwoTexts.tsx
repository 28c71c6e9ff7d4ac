import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextArea } from './TextArea.tsx'

interface TwoTextsProps {
  /** The two versions, and the functions that end their conflict. */
  editor: {
    conflict: { here: string; other: string; isSaved: boolean } | null
    keepThis: () => Promise<void>
    takeOther: () => Promise<void>
    keepBoth: () => Promise<void>
    postponeConflict: () => void
  }
  /** Keeps the text of this page instead of the saved one. */
  onKeptThis?: () => void
}

/** Shows two versions of a text and lets the writer choose. */
export function TwoTexts({ editor, onKeptThis }: TwoTextsProps) {
  const { conflict, keepThis, takeOther, keepBoth, postponeConflict } = editor
  if (conflict === null) return null
  const { here, other, isSaved } = conflict
  return (
    <Dialog
      size="large"
      title="Two versions of this text"
      description="Nothing is replaced until you choose."
      onClose={postponeConflict}
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
          <Button onClick={() => void keepBoth()}>Keep both</Button>
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
