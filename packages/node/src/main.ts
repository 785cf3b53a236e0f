/**
 * The node program. It is told everything by its first argument and reads no environment; it answers in lines of JSON,
 * which `countersign node` shows. `run` stays until it is told to end.
 */
import { NodeCommand, runNodeCommand } from './commands.ts'

const command = NodeCommand.parse(JSON.parse(process.argv[2] ?? 'null'))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
const exit = await runNodeCommand(command, {
  write: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  stopped: stopping.signal,
})
process.exit(exit)
