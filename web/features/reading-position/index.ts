export { LeftOff } from './LeftOff.tsx'
export { useIsPositionAwaited } from './use-reader.ts'
