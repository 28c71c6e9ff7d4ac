import { useEffect, useId, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from './cx.ts'

interface TabsProps<Value extends string> {
  label: string
  tabs: readonly { value: Value; label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
  /** The panel of the chosen tab. */
  children: ReactNode
}

/** Arrow keys, Home and End select a tab; the key Tab moves into the panel. */
export function Tabs<Value extends string>({ label, tabs, value, onChange, children }: TabsProps<Value>) {
  const id = useId()

  // A narrow row scrolls, and a link may open a tab that is out of sight.
  useEffect(() => {
    document.getElementById(`${id}-${value}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [id, value])

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    document.getElementById(`${id}-${next.value}`)?.focus()
  }

  return (
    <>
      <div role="tablist" aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onKeyDown={move}
            onClick={() => onChange(tab.value)}
            className={cx(
              'touch -mb-px shrink-0 border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap outline-offset-[-2px] transition-colors duration-150 ease-out',
              tab.value === value
                ? 'border-lamp text-ink'
                : 'border-transparent text-ink-soft hover:text-ink',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </>
  )
}
