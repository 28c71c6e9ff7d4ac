import type { ComponentProps } from 'react'
import { TextField } from './TextField.tsx'

export const FileField = (props: Omit<ComponentProps<typeof TextField>, 'type' | 'className'>) => (
  <TextField
    {...props}
    type="file"
    className="cursor-pointer text-sm file:me-3 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-surface file:px-3 file:py-1 file:text-sm file:font-medium file:text-ink"
  />
)
