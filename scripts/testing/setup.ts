import { allNeeds, install } from './needs.ts'

const problem = await install(allNeeds)
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
}
