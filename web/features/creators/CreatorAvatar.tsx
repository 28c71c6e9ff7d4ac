import type { Creator } from '#contract/creators/creator.ts'
import { initials } from '#web/ui/Avatar.tsx'
import { cx } from '#web/ui/cx.ts'

interface CreatorAvatarProps {
  creator: Pick<Creator, 'name' | 'profileImage' | 'colorScheme'>
  className: string
}

/** The picture of a creator, or the initials in the creator's colours. It is decoration: the name is printed beside it. */
export function CreatorAvatar({
  creator: { name, profileImage, colorScheme },
  className,
}: CreatorAvatarProps) {
  if (profileImage !== null)
    return <img src={profileImage} alt="" className={cx('shrink-0 rounded-full object-cover', className)} />
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className={cx('shrink-0 select-none', className)}>
      <circle
        cx="20"
        cy="20"
        r="19"
        fill={`color-mix(in oklab, ${colorScheme.primary} 18%, var(--surface))`}
        stroke={`color-mix(in oklab, ${colorScheme.primary} 60%, var(--ink-soft))`}
        strokeWidth="1.5"
      />
      <text
        x="20"
        y="20.5"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="14"
        className="fill-ink font-serif font-semibold"
      >
        {initials(name)}
      </text>
    </svg>
  )
}
