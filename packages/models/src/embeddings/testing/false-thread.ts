/** Stands in for the thread in tests: a vector tells the length of its text, and some texts make it misbehave. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { busyFlag, type FromThread, type ThreadData, type ToThread } from '../message.ts'

const { flags } = workerData as ThreadData
Atomics.store(new Int32Array(flags), busyFlag, 0)
const send = (message: FromThread) => parentPort?.postMessage(message)
let last: Promise<void> = Promise.resolve()

send({ kind: 'ready' })
parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'drop') return
  last = last.then(async () => {
    if (message.kind === 'end') {
      parentPort?.close()
      return
    }
    if (message.texts.includes('crash')) throw new Error('It crashed.')
    if (message.texts.includes('fail')) {
      send({ kind: 'failed', id: message.id, message: 'It cannot be read.' })
      return
    }
    if (message.texts.includes('slow')) await sleep(300)
    const vectors = Float32Array.from(message.texts.flatMap((text) => [text.length, threadNumber]))
    send({ kind: 'embedded', id: message.id, vectors })
  })
})

const threadNumber = Number(process.hrtime.bigint() % 1_000_000n)
