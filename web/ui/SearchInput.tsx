import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

/** A field for a search of people, whose text the browser neither completes nor corrects. */
export const SearchInput = ({ className, ...rest }: ComponentProps<'input'>) => (
  <>
    <Search
      aria-hidden
      className="pointer-events-none absolute inset-y-0 inset-s-3 my-auto size-4 text-ink-soft"
    />
    <input
      {...rest}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      className={cx('well ps-9', className)}
    />
  </>
)
