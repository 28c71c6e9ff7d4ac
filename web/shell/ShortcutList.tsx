import { shortcuts } from '#web/lib/keys.ts'
import { Dialog } from '#web/ui/Dialog.tsx'

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keys" size="small">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {shortcuts.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key} className="mr-1 rounded-md border border-edge bg-sunk px-2 py-0.5 text-sm">
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
