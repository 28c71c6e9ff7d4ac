import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { Format, SaveAsProps } from './formats.ts'
import { SaveAsButton } from './SaveAsButton.tsx'
import { useSaving } from './use-saving.ts'

const names: Record<Format, string> = {
  epub: 'EPUB',
  html: 'HTML',
  md: 'Markdown',
  pdf: 'PDF',
  txt: 'Plain text',
}

/** A text that takes long to read or to write shows its progress over the page. */
export function SaveMenu(props: SaveAsProps) {
  const { what, formats, heading, icon = 'never' } = props
  const { save, isBusy, progress, cancel } = useSaving(props)
  return (
    <>
      <Menu
        isOpenAtFirst
        heading={heading}
        trigger={<SaveAsButton icon={icon} busy={isBusy} />}
        items={formats.map((format) => ({
          label: names[format],
          disabled: isBusy,
          onSelect: () => void save(format),
        }))}
      />
      {progress && (
        <Dialog
          title={`Saving ${what}`}
          size="field"
          staysOpen
          onClose={cancel}
          footer={
            <Button variant="quiet" onClick={cancel}>
              Cancel
            </Button>
          }
        >
          <output className="block pb-2 text-sm text-ink-soft">{progress.text}</output>
          <progress
            aria-label={`Saving ${what}`}
            className="w-full accent-lamp"
            value={progress.share}
            max={1}
          />
        </Dialog>
      )}
    </>
  )
}
