import { pino } from 'pino'

/** JSON lines without content, addresses or cookies: what may be logged is listed where it is logged. */
export const createLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { req: () => undefined, res: () => undefined },
  })
