/**
 * The lab: a program of its own, since it loads and runs code of an author. It is told everything on standard input,
 * says how far it is over the channel to its parent, and writes one JSON document to standard output.
 */
import { text } from 'node:stream/consumers'
import { examine } from './examine.ts'
import { LabRequest } from './request.ts'
import { scaffold } from './scaffold.ts'

// Ends by the way on which the scratch folder is removed.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

const write = process.stdout.write.bind(process.stdout)
// What a tool prints must not get into the document.
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write

const request = LabRequest.parse(JSON.parse(await text(process.stdin)))
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
