import { ChevronDown } from 'lucide-react'
import type { Room } from '#contract/rooms/room.ts'
import { Menu } from '#web/ui/Menu.tsx'
import type { useHost } from './use-host.ts'

interface TableMenuProps {
  room: Pick<Room, 'isClosed'>
  host: ReturnType<typeof useHost>
}

/** For the creator of a table. */
export const TableMenu = ({ room, host }: TableMenuProps) => (
  <Menu
    trigger={
      <button type="button" className="touch inline-flex items-center gap-1 px-2 text-sm text-lamp">
        Table
        <ChevronDown aria-hidden className="size-4" />
      </button>
    }
    items={[
      room.isClosed
        ? { label: 'Open table', onSelect: () => void host.reopen() }
        : { label: 'Close table', onSelect: () => void host.close() },
      { label: 'End the story…', danger: true, onSelect: () => void host.end() },
    ]}
  />
)
