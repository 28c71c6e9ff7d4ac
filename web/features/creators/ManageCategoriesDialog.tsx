import { useState } from 'react'
import type { Creator, CreatorCategory } from '#contract/creators/creator.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { byName } from './sample-creators.ts'
import { sections } from './sections.ts'

const options = [
  ...sections.map(({ category, title }) => ({ value: category, label: title })),
  { value: 'more' as const, label: 'More (no section)' },
]

interface ManageCategoriesDialogProps {
  creators: readonly Creator[]
  /** Answers whether this browser kept the change. */
  assign: (id: string, category: CreatorCategory) => boolean
  onClose: () => void
}

export function ManageCategoriesDialog({ creators, assign, onClose }: ManageCategoriesDialogProps) {
  const [isKept, setIsKept] = useState(true)
  return (
    <Dialog
      title="Manage Categories"
      description="Choose the section of each creator. The choice is kept in this browser."
      size="large"
      onClose={onClose}
    >
      <output className="block text-sm text-bad">
        {!isKept && 'This browser could not keep the change. It lasts until the page is loaded again.'}
      </output>
      <div className="grid gap-x-6 gap-y-4 py-1 sm:grid-cols-2">
        {creators.toSorted(byName).map(({ id, name, category }) => (
          <SelectField
            key={id}
            label={name}
            options={options}
            value={category}
            onChange={(chosen) => setIsKept(assign(id, chosen))}
          />
        ))}
      </div>
    </Dialog>
  )
}
