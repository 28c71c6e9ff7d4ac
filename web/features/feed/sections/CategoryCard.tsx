import type { CategorySummary } from '#contract/feed/categories.ts'
import { Picture } from '#web/ui/Picture.tsx'
import { rowCardClass } from './SectionFrame.tsx'

export function CategoryCard({ summary, onOpen }: { summary: CategorySummary; onOpen: () => void }) {
  return (
    <button type="button" onClick={onOpen} className={`${rowCardClass} hover:border-ink-soft`}>
      <Picture of={summary.image} className="h-32 w-full shrink-0 bg-sunk p-4" />
      <span className="flex flex-1 items-center justify-between gap-2 px-4">
        <span className="font-serif font-semibold">{summary.name}</span>
        <span className="text-sm text-ink-soft">
          {summary.count === 1 ? '1 post' : `${summary.count} posts`}
        </span>
      </span>
    </button>
  )
}
