import { Printer } from 'lucide-react'
import type { PublicPost } from '#contract/feed/post.ts'
import { SaveAs } from '#web/features/saving/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useReadingSize } from '#web/lib/theme.ts'
import { Button } from '#web/ui/Button.tsx'
import { viewClass, viewsClass } from '#web/ui/ViewSwitch.tsx'
import { savedPost } from './saved-post.ts'

const sizes = [
  ['small', 'Small text', 'text-sm'],
  ['medium', 'Medium text', 'text-base'],
  ['large', 'Large text', 'text-xl'],
] as const

/** The text size, which is that of all long texts in this browser, Print, and the files of a post. */
export function ArticleTools({ post }: { post: PublicPost }) {
  const { timeZone } = useAppConfig()
  const [size, choose] = useReadingSize()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div role="group" aria-label="Text size" className={viewsClass}>
        {sizes.map(([value, name, letterClass]) => (
          <button
            key={value}
            type="button"
            aria-label={name}
            aria-pressed={value === size}
            className={viewClass(value === size)}
            onClick={() => choose(value)}
          >
            <span aria-hidden className={`font-serif leading-6 ${letterClass}`}>
              A
            </span>
          </button>
        ))}
      </div>
      <Button variant="quiet" onClick={() => print()}>
        <Printer aria-hidden className="size-4" />
        Print
      </Button>
      <SaveAs
        what="the post"
        formats={['pdf', 'html', 'md', 'txt']}
        read={() => savedPost(post, timeZone)}
        icon="on phones"
      />
    </div>
  )
}
