/** The thread of the machine. It runs one program at a time, each in a machine of its own, and can be ended at any moment. */
import { parentPort, workerData } from 'node:worker_threads'
import { openMachine, runProgram } from './machine.ts'
import type { AnswersReply, FromWorker, MachineEnd, ScriptJob, ToWorker } from './message.ts'
import type { CompiledMachine } from './wasm.ts'

const port = parentPort
if (!port) throw new Error('This is a thread of the executor.')
const { wasm } = workerData as { wasm: CompiledMachine }
const machine = openMachine(wasm)
const send = (message: FromWorker) => port.postMessage(message)
let answer: ((reply: AnswersReply) => void) | undefined

port.on('message', (message: ToWorker) => {
  if (message.kind !== 'run') {
    answer?.(message)
    return
  }
  const { user, system } = process.threadCpuUsage()
  send({ kind: 'began', cpuMicros: user + system })
  void run(message.job).then((end) => send({ kind: 'ended', end }))
})

async function run(job: ScriptJob): Promise<MachineEnd> {
  return runProgram(await machine, job, (calls) => {
    const replied = new Promise<AnswersReply>((resolve) => {
      answer = resolve
    })
    send({ kind: 'waits', calls })
    return replied
  })
}
