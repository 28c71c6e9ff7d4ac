import type { ReactNode } from 'react'

/** Short facts about a thing, each under its name. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className="my-5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dt className="text-ink-soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
