import { type DestinationStream, pino } from 'pino'
import { describeError } from './platform/describe-error.ts'

/** Writes JSON lines without content, addresses or cookies. Each call that logs lists its fields. */
export const createLog = (level: string, destination?: DestinationStream) =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
    },
    destination,
  )
