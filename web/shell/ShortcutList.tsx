import { Dialog } from '#web/ui/Dialog.tsx'

/** `keys` is one key, or two that are pressed one after the other. */
const shortcuts = [
  { keys: '/', does: 'Search' },
  { keys: 'Ctrl+K', does: 'Search, also while you write' },
  { keys: 'n', does: 'Write a post' },
  { keys: '[', does: 'Previous day' },
  { keys: ']', does: 'Next day' },
  { keys: 'j', does: 'Next post' },
  { keys: 'k', does: 'Previous post' },
  { keys: 'Enter', does: 'Open the post' },
  { keys: 'g f', does: 'Go to the feed' },
  { keys: 'g d', does: 'Go to the diary' },
  { keys: 'g /', does: 'Search your diary' },
  { keys: 'g c', does: 'Go to the calendar' },
  { keys: 'g r', does: 'Go to the rooms' },
  { keys: 'g m', does: 'Go to the messages' },
  { keys: 'g p', does: 'Go to the people' },
  { keys: 'g s', does: 'Go to the settings' },
  { keys: 'g w', does: 'Write on a whole page' },
  { keys: '?', does: 'Show this list' },
  { keys: 'F8', does: 'Go to the notifications' },
  { keys: 'Escape', does: 'Close' },
]

/** Every shortcut of the product. The page that a shortcut acts on handles its keys. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" size="small">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {shortcuts.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key} className="me-1 rounded-md border border-edge bg-sunk px-2 py-0.5 text-sm">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-sm">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
