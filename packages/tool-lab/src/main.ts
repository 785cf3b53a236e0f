/**
 * The lab: a program of its own, since it loads and runs code of an author. It is told everything on standard input,
 * says how far it is over the channel to its parent, and writes one JSON document to standard output.
 */
import { text } from 'node:stream/consumers'
import { examine } from './examine.ts'
import { examinePlugin } from './plugin/examine-plugin.ts'
import { scaffoldPlugin } from './plugin/scaffold-plugin.ts'
import { LabRequest } from './request.ts'
import { scaffold } from './scaffold.ts'

// Ends by the way on which the scratch folder is removed.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

const write = process.stdout.write.bind(process.stdout)
// What a tool prints must not get into the document.
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write

const request = LabRequest.parse(JSON.parse(await text(process.stdin)))
const tell = (progress: object) => {
  if (process.connected) process.send?.(progress, undefined, undefined, () => undefined)
}
const answer = await answered()

async function answered() {
  switch (request.ask) {
    case 'new':
      return scaffold(request)
    case 'new-plugin':
      return scaffoldPlugin(request)
    case 'test':
      return examine(request, tell)
    case 'test-plugin':
      return examinePlugin(request, tell)
  }
}

write(`${JSON.stringify(answer)}\n`, () => {
  // A tool may have left something open; its test is over.
  process.exit(0)
})
