export { LeftOff } from './LeftOff.tsx'
export { readPositions } from './positions.ts'
export { useIsPositionAwaited } from './use-reader.ts'
