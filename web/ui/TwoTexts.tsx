import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextArea } from './TextArea.tsx'

interface TwoTextsProps {
  /** What the editor of a text asks, and how it takes the answer. */
  editor: {
    question: { mine: string; theirs: string; isSaved: boolean } | null
    keepMine: () => Promise<void>
    takeTheirs: () => Promise<void>
    keepBoth: () => Promise<void>
    putOff: () => void
  }
  /** The text of this page stays, in place of a saved one. */
  onKeptMine?: () => void
}

/** Two texts for one place: shows both, and the writer says what becomes of them. */
export function TwoTexts({ editor, onKeptMine }: TwoTextsProps) {
  const { question, keepMine, takeTheirs, keepBoth, putOff } = editor
  if (question === null) return null
  const { mine, theirs, isSaved } = question
  return (
    <Dialog
      open
      size="large"
      title="Two texts for one place"
      description="Both are shown here, and nothing is replaced before you choose."
      onOpenChange={(open) => !open && putOff()}
      footer={
        <>
          <Button variant="quiet" onClick={() => void takeTheirs()}>
            Take the other one
          </Button>
          <Button
            variant="quiet"
            onClick={() => void keepMine().then(() => (isSaved ? onKeptMine?.() : undefined))}
          >
            Keep this one
          </Button>
          <Button onClick={() => void keepBoth()}>Keep both</Button>
        </>
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <TextArea label="Written here" className="reading" rows={12} readOnly value={mine} />
        <TextArea
          label={isSaved ? 'Saved elsewhere' : 'Written in a tab that is closed now'}
          className="reading"
          rows={12}
          readOnly
          value={theirs}
        />
      </div>
    </Dialog>
  )
}
