/** The process of one channel: `main.ts <kind>`. It has no environment and no credential but what the gateway sends it. */
import { adapters } from './adapters.ts'
import { serveChannel } from './frame/serve.ts'
import { encodeLine, readMessages } from './frame/wire.ts'
import { withoutSignals } from './frame/without-signals.ts'

withoutSignals(process)

const load = adapters[process.argv[2] ?? '']
if (!load || process.stdin.isTTY) {
  process.stderr.write('This program is started by the gateway.\n')
  process.exit(2)
}
serveChannel(await load(), {
  send: (message) => void process.stdout.write(encodeLine(message)),
  receive: (message) => readMessages(process.stdin, { message, broken: () => process.exit(1) }),
  lost: (listener) => void process.stdin.on('close', listener),
  end: (code) => process.exit(code),
})
