/** The thread of one selection. It is ended when it takes too long. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Selection, type SelectionJob, select } from './selection.ts'

if (!parentPort) throw new Error('This is a thread of the executor.')
const selection: Selection = select(workerData as SelectionJob)
parentPort.postMessage(selection)
