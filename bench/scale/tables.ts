import type { CallName, Costs } from './costs.ts'
import { assumptions, loadOf, processesFor, waitAt } from './model.ts'

const sizes = [1e6, 10e6, 100e6]

/** Replaces each part of the page between `<!-- table name -->` and `<!-- end -->` by the table of that name. */
export function drawTables(page: string, costs: Costs): string {
  const tables: Record<string, string[][]> = {
    assumptions: assumptionRows(),
    costs: costRows(costs),
    calls: callRows(costs),
    parts: partRows(costs),
    limits: limitRows(costs),
    wait: waitRows(costs),
  }
  return page.replace(
    /(<!-- table (\w+) -->\n)[^]*?(?=<!-- end -->)/g,
    (_whole, start: string, name: string) => {
      const rows = tables[name]
      if (rows === undefined) throw new Error(`There is no table ${name}.`)
      return `${start}\n${inMarkdown(rows)}\n\n`
    },
  )
}

/** As Prettier writes a table: each column as wide as its widest cell. */
function inMarkdown(rows: string[][]): string {
  const widths = rows[0]!.map((_cell, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const lineOf = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`
  const [head, ...body] = rows
  return [lineOf(head!), lineOf(widths.map((width) => '-'.repeat(width))), ...body.map(lineOf)].join('\n')
}

/** Two digits that count, such as 1,200 or 0.34. */
const rounded = (value: number): string => {
  if (!Number.isFinite(value)) return 'not possible'
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 3 })
}
const inUnit = (value: number, units: readonly string[], step: number): string => {
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(value) / Math.log(step))))
  return `${rounded(value / step ** at)} ${units[at]}`
}
const inBytes = (bytes: number) => inUnit(bytes, ['B', 'KB', 'MB', 'GB', 'TB', 'PB'], 1000)
const inPeople = (people: number) =>
  inUnit(people, ['people', 'thousand', 'million', 'thousand million'], 1000)
const head = ['people with an account', ...sizes.map((size) => inPeople(size))]
const rowsOfSizes = (costs: Costs, rows: [string, (load: ReturnType<typeof loadOf>) => string][]) => {
  const loads = sizes.map((size) => loadOf(size, costs))
  return [head, ...rows.map(([name, of]) => [name, ...loads.map((load) => of(load))])]
}

function assumptionRows(): string[][] {
  const { activeShare, visitorsForEachActive, busiestHourShare, minutesOpen, readersOfPassage } = assumptions
  return [
    ['assumption', 'value'],
    ['people with an account who come on a day', `${activeShare * 100} %`],
    ['visitors without an account, for each of them', String(visitorsForEachActive)],
    ['share of the calls of a day in its busiest hour', `${busiestHourShare * 100} %`],
    ['minutes in which the page of a person is open', String(minutesOpen)],
    ['readers of a passage who have the room open', String(readersOfPassage)],
    ['files for a page, most from the cache of the browser', inBytes(assumptions.fileBytesOfPage)],
    ['share of a machine that is used in the busiest hour', `${assumptions.plannedShare * 100} %`],
    [
      'one Postgres machine: cores, log a second',
      `${assumptions.postgresCores}, ${inBytes(assumptions.postgresLogBytesPerSecond)}`,
    ],
    ['a node of Citus: cores', String(assumptions.nodeCores)],
    [
      'a change, a read on Citus: times the processor of one Postgres',
      `${assumptions.distributedChange}, ${assumptions.distributedRead}`,
    ],
    ['copies of each byte', String(assumptions.copies)],
    [
      'a core, a GB of disk, a TB sent, a month',
      `${assumptions.eurosOfCoreMonth}, ${assumptions.eurosOfGigabyteMonth}, ${assumptions.eurosOfTrafficTerabyte} euros`,
    ],
  ]
}

function costRows({ calls, stream, bus }: Costs): string[][] {
  const { callsOfPerson, callsOfVisitor } = assumptions
  return [
    ['call', 'a day: person, visitor', 'server', 'database', 'log', 'stored', 'answer'],
    ...(Object.keys(callsOfPerson) as CallName[]).map((call) => {
      const { serverUs, databaseUs, logBytes, storedBytes, answerBytes } = calls[call]
      return [
        `\`${call}\``,
        `${callsOfPerson[call]}, ${callsOfVisitor[call] ?? 0}`,
        `${rounded(serverUs)} µs`,
        `${rounded(databaseUs)} µs`,
        inBytes(logBytes),
        inBytes(storedBytes),
        inBytes(answerBytes),
      ]
    }),
    [
      'a stream is opened',
      '',
      `${rounded(stream.opening.serverUs)} µs`,
      `${rounded(stream.opening.databaseUs)} µs`,
      '',
      '',
      '',
    ],
    [
      'a stream is open for a second',
      '',
      `${rounded(stream.second.serverUs)} µs`,
      `${rounded(stream.second.databaseUs)} µs`,
      '',
      '',
      '',
    ],
    ['an event for one stream', '', `${rounded(stream.eventUs)} µs`, '', '', '', ''],
    [
      'a message of the bus for one process',
      '',
      `${rounded(bus.receiveUs)} µs; Redis ${rounded(bus.deliveryUs)} µs`,
      '',
      '',
      '',
      '',
    ],
  ]
}

const callRows = (costs: Costs) =>
  rowsOfSizes(costs, [
    ...(Object.keys(assumptions.callsOfPerson) as CallName[]).map(
      (call): [string, (load: ReturnType<typeof loadOf>) => string] => [
        `\`${call}\`, a second`,
        ({ perSecond }) => rounded(perSecond[call]),
      ],
    ),
    ['all calls, a second', ({ calls }) => rounded(calls)],
    ['open streams', ({ streams }) => rounded(streams)],
    ['events to streams, a second', ({ events }) => rounded(events)],
  ])

const partRows = (costs: Costs) =>
  rowsOfSizes(costs, [
    ['work of the servers, in cores', ({ serverCores }) => rounded(serverCores)],
    ['processes of one core, as it is', (load) => rounded(processesFor(load))],
    ['processes, with a channel for each topic', (load) => rounded(processesFor(withTopicChannels(load)))],
    ['memory of all streams', ({ streamBytes }) => inBytes(streamBytes)],
    ['messages of the bus, a second', ({ busMessages }) => rounded(busMessages)],
    ['Redis, as it is, in cores', (load) => rounded(redisCores(load, costs))],
    ['one Postgres, in cores', ({ databaseCores }) => rounded(databaseCores)],
    ['of these, the polls of open streams', (load) => rounded(load.databaseCoresOfStreams)],
    ['of these, calls that change something', (load) => rounded(load.databaseCoresOfChanges)],
    ['log of the database, a second', ({ logBytes }) => inBytes(logBytes)],
    ['nodes of Citus, entered by any node, not built', (load) => rounded(nodesFor(load))],
    [
      'disk after a year, all copies',
      ({ storedBytesOfYear }) => inBytes(storedBytesOfYear * assumptions.copies),
    ],
    [
      'sent, a second',
      ({ sentBytes }) => `${inUnit(sentBytes * 8, ['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit'], 1000)}`,
    ],
    ['euros a month, in the first year', (load) => rounded(eurosOfMonth(load))],
    [
      'euros a year for each person with an account',
      (load) => rounded((eurosOfMonth(load) * 12) / (load.streams / streamsOfPerson)),
    ],
  ])

const streamsOfPerson =
  (assumptions.activeShare * assumptions.minutesOpen * assumptions.busiestHourShare) / 60

/** A channel of Redis for each topic would bring a message only to the processes that have a stream of it. */
const withTopicChannels = (load: ReturnType<typeof loadOf>) => ({ ...load, busCoresOfEachProcess: 0 })

const redisCores = (load: ReturnType<typeof loadOf>, { bus }: Costs) =>
  (load.busMessages * processesFor(load) * bus.deliveryUs) / 1e6

const nodesFor = ({ databaseCoresOnNodes }: ReturnType<typeof loadOf>) =>
  Math.ceil(databaseCoresOnNodes / (assumptions.nodeCores * assumptions.plannedShare))

/** With the smallest database that carries it, and its standby. */
function eurosOfMonth(load: ReturnType<typeof loadOf>): number {
  const { plannedShare, nodeCores, copies } = assumptions
  const isOnePostgresEnough = load.databaseCores <= assumptions.postgresCores * plannedShare
  const databaseCores = isOnePostgresEnough ? load.databaseCores / plannedShare : nodesFor(load) * nodeCores
  const cores = processesFor(withTopicChannels(load)) + Math.ceil(databaseCores) * copies
  return (
    cores * assumptions.eurosOfCoreMonth +
    ((load.storedBytesOfYear * copies) / 1e9) * assumptions.eurosOfGigabyteMonth +
    (load.sentBytesOfMonth / 1e12) * assumptions.eurosOfTrafficTerabyte
  )
}

function limitRows(costs: Costs): string[][] {
  const { plannedShare, postgresCores, postgresLogBytesPerSecond } = assumptions
  const upTo = (fits: (load: ReturnType<typeof loadOf>) => boolean) => inPeople(mostPeople(costs, fits))
  return [
    ['part', 'is enough for', 'next step'],
    ['one process, one core', upTo((load) => processesFor(load) === 1), 'several processes with Redis'],
    [
      'one Redis, which brings every message to every process',
      upTo((load) => redisCores(load, costs) <= plannedShare),
      'a channel for each topic, then several Redis',
    ],
    [
      'processes that read every message',
      upTo((load) => Number.isFinite(processesFor(load))),
      'a channel for each topic',
    ],
    [
      `one Postgres, ${postgresCores} cores`,
      upTo((load) => load.databaseCores <= postgresCores * plannedShare),
      'fewer polls of streams, and standbys for reads',
    ],
    [
      'the same, when it does nothing but changes',
      upTo((load) => load.databaseCoresOfChanges <= postgresCores * plannedShare),
      'groups of tables in databases of their own',
    ],
    [
      'one Postgres, its log',
      upTo((load) => load.logBytes <= postgresLogBytesPerSecond * plannedShare),
      'groups of tables in databases of their own',
    ],
  ]
}

/** The most people whose load fits, to a hundredth. */
function mostPeople(costs: Costs, fits: (load: ReturnType<typeof loadOf>) => boolean): number {
  let [enough, tooMany] = [1, 1e12]
  while (tooMany / enough > 1.01) {
    const middle = Math.sqrt(enough * tooMany)
    if (fits(loadOf(middle, costs))) enough = middle
    else tooMany = middle
  }
  return enough
}

function waitRows(costs: Costs): string[][] {
  const load = loadOf(1e6, costs)
  return [
    ['share of its core that a process uses', 'p99 of the wait for the core'],
    ...[0.5, 0.6, 0.7, 0.8, 0.9, 0.95].map((share) => [
      `${share * 100} %`,
      `${rounded(waitAt(share, load, costs))} ms`,
    ]),
  ]
}
