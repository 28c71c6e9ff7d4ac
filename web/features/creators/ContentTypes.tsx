import {
  BookOpen,
  Camera,
  Feather,
  Headphones,
  LibraryBig,
  type LucideIcon,
  Mic,
  Music,
  NotebookPen,
  Palette,
  PenLine,
  Shapes,
  Video,
} from 'lucide-react'
import type { ContentType } from '#contract/creators/creator.ts'

const iconsMax = 4

/** Icons for up to four content types, and the number of the others. */
export function ContentTypes({ types }: { types: readonly ContentType[] }) {
  const others = types.slice(iconsMax)
  return (
    <ul aria-label="Content types" className="flex items-center gap-2 text-ink-soft">
      {types.slice(0, iconsMax).map((type) => {
        const Icon = icons[type]
        return (
          <li key={type} title={type}>
            <Icon aria-hidden className="size-4" />
            <span className="sr-only">{type}</span>
          </li>
        )
      })}
      {others.length > 0 && (
        <li title={others.join(', ')} className="text-xs">
          +{others.length}
          <span className="sr-only"> more: {others.join(', ')}</span>
        </li>
      )}
    </ul>
  )
}

const icons: Record<ContentType, LucideIcon> = {
  music: Music,
  audio: Headphones,
  video: Video,
  writing: PenLine,
  poetry: Feather,
  stories: BookOpen,
  diary: NotebookPen,
  books: LibraryBig,
  podcast: Mic,
  photography: Camera,
  art: Palette,
  design: Shapes,
}
