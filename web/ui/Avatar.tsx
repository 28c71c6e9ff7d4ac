import { cx } from './cx.ts'

interface AvatarProps {
  /** A person's name; its initials are drawn. */
  name: string
  size?: 'small' | 'medium' | 'large'
}

/** A picture of initials. It is decoration: the name is printed beside it. */
export function Avatar({ name, size = 'medium' }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-grid shrink-0 place-items-center rounded-full border border-line bg-sunk font-serif font-semibold text-ink-soft select-none',
        sizes[size],
      )}
    >
      {initials(name)}
    </span>
  )
}

const sizes = { small: 'size-7 text-xs', medium: 'size-10 text-base', large: 'size-16 text-xl' }

/** The first letters of the first and the last word: 'AL' for 'Ana Maria Lima'. A letter may be several code points. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  return ends
    .map((word) => letters.segment(word ?? '').containing(0)?.segment ?? '')
    .join('')
    .toUpperCase()
}

const letters = new Intl.Segmenter()
