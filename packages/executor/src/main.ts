/**
 * The executor process. It is told everything by its first argument and over the channel to its parent; it reads no
 * environment. When the parent is gone it ends what it began, records it, and leaves.
 */
import type { ExecutorMessage } from '@countersign/contract'
import { ExecutorOptions, openExecutor } from './executor.ts'
import { createServer } from './serve.ts'

const options = ExecutorOptions.parse(JSON.parse(process.argv[2] ?? 'null'))
const executor = await openExecutor(options).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return process.exit(1)
})

const send = (message: ExecutorMessage) => {
  // A parent that is gone has no use for an answer; the outcome is in the replay store.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
const server = createServer({
  resolve: executor.resolve,
  execute: executor.execute,
  speech: executor.speech,
  channel: executor.channel,
  setWorld: executor.setWorld,
  send,
})

let leaving = false
const leave = async () => {
  if (leaving) return
  leaving = true
  await server.settled()
  await executor.close()
  process.exit(0)
}

// A terminal sends its interrupt to the whole group; only the parent decides.
process.on('SIGINT', () => undefined)
// Node would open its debugger to everybody on this computer.
process.on('SIGUSR1', () => undefined)
process.on('SIGTERM', () => void leave())
process.on('disconnect', () => {
  server.lose()
  void leave()
})
process.on('message', (message) => {
  if (!leaving) server.receive(message)
})

// Notices a wall clock that is set while no permit comes.
setInterval(() => executor.world.clock.now(), 1000).unref()

const { sandbox, extensions } = executor
const tellExtensions = () => send({ type: 'extensions', extensions: extensions.current() })
extensions.onChange(tellExtensions)
tellExtensions()
send({
  type: 'ready',
  executor: executor.id,
  key: executor.key,
  sandbox: sandbox.kind === 'available' ? { kind: 'available', name: sandbox.sandbox.name } : sandbox,
})
