import { type ReactNode, useId } from 'react'

export function TitledGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h3 id={id} className="text-lg">
        {title}
      </h3>
      {children}
    </section>
  )
}
