import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '#web/ui/Button.tsx'

/** Opens the account menu. Shown without a menu until the menu is loaded. */
export function AccountButton({ name, ...rest }: { name: string } & ComponentProps<'button'>) {
  return (
    <Button variant="quiet" className="max-w-44" {...rest}>
      <span className="truncate">{name}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0" />
    </Button>
  )
}
