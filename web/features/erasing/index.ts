export { type Erasable, useErase } from './use-erase.tsx'
