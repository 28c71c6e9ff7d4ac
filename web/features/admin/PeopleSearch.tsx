import type { ComponentProps } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { SearchInput } from '#web/ui/SearchInput.tsx'

interface PeopleSearchProps extends Pick<
  ComponentProps<typeof SearchInput>,
  'aria-label' | 'placeholder' | 'maxLength'
> {
  typed: string
  onType: (typed: string) => void
  isSuspended: boolean
  onSuspended: (isSuspended: boolean) => void
}

/** Finds people by a text, or the suspended ones. */
export const PeopleSearch = ({ typed, onType, isSuspended, onSuspended, ...input }: PeopleSearchProps) => (
  <search className="flex flex-wrap items-center gap-x-5 gap-y-2">
    <div className="relative w-full sm:max-w-md">
      <SearchInput {...input} type="search" value={typed} onChange={({ target }) => onType(target.value)} />
    </div>
    <Checkbox
      label="Suspended only"
      checked={isSuspended}
      onChange={({ target }) => onSuspended(target.checked)}
    />
  </search>
)
