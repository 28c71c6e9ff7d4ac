import { login, register } from '#contract/account/endpoints.ts'
import { loadFromOtherCore, withInstance } from './instance.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

const people = 16
const signIns = 10

loadFromOtherCore()
await withInstance(async ({ url, client }) => {
  const inputs = Array.from({ length: people }, (_, i) => ({
    email: `person${i}@example.org`,
    password: 'a long passcode',
  }))
  for (const input of inputs) {
    await client().does(register, { input: { ...input, firstName: 'Ana', lastName: 'Lima' } })
  }
  // Each reading resets the gauge, so the next one covers the sign-ins only.
  await loopDelay(url)
  const times: number[] = []
  await Promise.all(
    inputs.map(async (input) => {
      const person = client()
      for (let i = 0; i < signIns; i++) {
        const start = performance.now()
        await person.does(login, { input })
        times.push(performance.now() - start)
      }
    }),
  )
  printTable(`${people} people sign in at once, ${signIns} times`, [
    atMost('event-loop delay, p99', (await loopDelay(url)) * 1000, 20, 'ms'),
    fact(
      'a sign-in, p50 and p99',
      `${quantile(times, 0.5).toFixed(0)} and ${quantile(times, 0.99).toFixed(0)} ms`,
    ),
  ])
})

/** Reads seconds from the metrics of the server. */
async function loopDelay(url: string): Promise<number> {
  const said = await (await fetch(`${url}/metrics`)).text()
  const [, seconds] = /^zimmer_nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(said) ?? []
  return Number(seconds)
}
