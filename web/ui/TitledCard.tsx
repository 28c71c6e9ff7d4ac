import { type ReactNode, useId } from 'react'
import { Card } from './Card.tsx'

interface TitledCardProps {
  title: string
  className: string
  children: ReactNode
}

export function TitledCard({ title, className, children }: TitledCardProps) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} className={className}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {children}
    </Card>
  )
}
