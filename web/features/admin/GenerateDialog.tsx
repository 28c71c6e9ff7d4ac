import { useState } from 'react'
import { categories, type Category } from '#contract/feed/categories.ts'
import { generatedMax } from '#contract/feed/review/endpoints.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useGenerateContent } from './api.ts'
import { countOfPosts } from './use-batches.ts'

export function GenerateDialog({ onClose }: { onClose: () => void }) {
  const [count, setCount] = useState(3)
  const [category, setCategory] = useState<Category | ''>('')
  const { run, status } = useGenerateContent()
  const toast = useToast()
  const generate = async () => {
    try {
      const { posts } = await run({ input: { count, ...(category && { category }) } })
      toast({
        title: `${countOfPosts(posts.length)} generated`,
        description: 'They are hidden until you show them.',
      })
      onClose()
    } catch {
      // The line in the dialog shows the failure.
    }
  }
  return (
    <Dialog
      onClose={onClose}
      title="Generate content"
      description="Makes posts from texts that come with Z!mmer. They are hidden until you show them."
      size="field"
      actions={
        <Button busy={status === 'running'} onClick={() => void generate()}>
          Generate
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <SelectField
          label="How many"
          options={Array.from({ length: generatedMax }, (_, i) => i + 1)}
          value={count}
          onChange={setCount}
        />
        <SelectField
          label="Category"
          options={[{ value: '', label: 'Any' }, ...categories]}
          value={category}
          onChange={setCategory}
        />
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {status === 'failed' && 'The posts could not be generated. Please try again.'}
        </p>
      </div>
    </Dialog>
  )
}
