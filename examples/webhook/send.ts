/** Sends one signed delivery to a webhook of an automation: node send.ts <address of the hook> <file with the body>. */
import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [address, file] = process.argv.slice(2)
const secret = process.env['SECRET']
if (address === undefined || file === undefined || secret === undefined) {
  process.stderr.write('Usage: SECRET=… node send.ts <address of the hook> <file with the body>\n')
  process.exit(2)
}

const body = readFileSync(file, 'utf8')
const timestamp = String(Math.floor(Date.now() / 1000))
// The same id is acted on once, so a sender that is not sure sends again with the id that it used.
const delivery = process.env['DELIVERY'] ?? randomUUID()
const signature = createHmac('sha256', secret).update(`${timestamp}.${delivery}.${body}`).digest('hex')

const answer = await fetch(address, {
  method: 'POST',
  body,
  headers: {
    'content-type': 'application/json',
    'Countersign-Timestamp': timestamp,
    'Countersign-Delivery': delivery,
    'Countersign-Signature': `v1=${signature}`,
  },
})
process.stdout.write(`${answer.status} ${await answer.text()}\n`)
process.exitCode = answer.ok ? 0 : 1
