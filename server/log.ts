import { type DestinationStream, pino } from 'pino'
import { describeError } from './platform/describe-error.ts'

/** JSON lines without content, addresses or cookies: what may be logged is listed where it is logged. */
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
