/** The lab for many requests: one line of JSON each, answered by one line each. For tests only. */
import { createInterface } from 'node:readline'
import { examine } from '../examine.ts'
import { TestRequest } from '../request.ts'

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await examine(TestRequest.parse(JSON.parse(line)), () => undefined)
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
process.exit(0)
