import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '#web/ui/Button.tsx'

/** Opens the account menu; before the menu has come it holds its place. */
export function AccountButton({ name, ...rest }: { name: string } & ComponentProps<'button'>) {
  return (
    <Button variant="quiet" className="max-w-44" {...rest}>
      <span className="truncate">{name}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0" />
    </Button>
  )
}
