import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'

/** Opens the account menu. Shown without a menu until the menu is loaded. On a phone the header has little room. */
export function AccountButton({ name, ...rest }: { name: string } & ComponentProps<'button'>) {
  return (
    <Button
      variant="quiet"
      className="max-w-44 max-sm:border-transparent max-sm:bg-transparent max-sm:px-1"
      {...rest}
    >
      <Avatar name={name} size="small" className="sm:hidden" />
      <span className="truncate max-sm:sr-only">{name}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0 max-sm:hidden" />
    </Button>
  )
}
