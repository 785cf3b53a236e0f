/**
 * The lab: a program of its own, since it loads and runs code of an author. It is told everything by its first
 * argument, says how far it is over the channel to its parent, and writes one JSON document to standard output.
 */
import { examine } from './examine.ts'
import { LabRequest } from './request.ts'
import { scaffold } from './scaffold.ts'

const write = process.stdout.write.bind(process.stdout)
// What a tool prints must not get into the document.
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write

const request = LabRequest.parse(JSON.parse(process.argv[2] ?? 'null'))
const answer =
  request.ask === 'new'
    ? scaffold(request)
    : await examine(request, (progress) => {
        if (process.connected) process.send?.(progress, undefined, undefined, () => undefined)
      })

write(`${JSON.stringify(answer)}\n`, () => {
  // A tool may have left something open; its test is over.
  process.exit(0)
})
