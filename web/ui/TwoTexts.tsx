import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextArea } from './TextArea.tsx'

interface TwoTextsProps {
  mine: string
  theirs: string
  /** Where the other text comes from, such as 'saved elsewhere'. */
  theirsName: string
  onKeepMine: () => void
  onTakeTheirs: () => void
  onKeepBoth: () => void
  onPutOff: () => void
}

/** Two texts for one place: shows both, and the writer says what becomes of them. */
export function TwoTexts({
  mine,
  theirs,
  theirsName,
  onKeepMine,
  onTakeTheirs,
  onKeepBoth,
  onPutOff,
}: TwoTextsProps) {
  return (
    <Dialog
      open
      size="large"
      title="Two texts for one place"
      description="Both are shown here, and nothing is replaced before you choose."
      onOpenChange={(open) => !open && onPutOff()}
      footer={
        <>
          <Button variant="quiet" onClick={onTakeTheirs}>
            Take the other one
          </Button>
          <Button variant="quiet" onClick={onKeepMine}>
            Keep this one
          </Button>
          <Button onClick={onKeepBoth}>Keep both</Button>
        </>
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <TextArea label="Written here" className="reading" rows={12} readOnly value={mine} />
        <TextArea label={theirsName} className="reading" rows={12} readOnly value={theirs} />
      </div>
    </Dialog>
  )
}
