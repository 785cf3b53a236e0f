/** Owns opening the trusted core in two steps: the database first, because what it is started with is made from that. */
import { createRedactor } from '@countersign/contract/node'
import { askForServer } from './approvals/server-questions.ts'
import type { KernelOptions, OpenedKernel } from './kernel.ts'
import { startKernel } from './start.ts'
import { openStorage } from './storage.ts'

export async function openKernel(options: KernelOptions): Promise<OpenedKernel> {
  const redactor = options.redactor ?? createRedactor()
  const storage = await openStorage({ ...options, redactor })
  const { records, stream, devices, witnesses, readOnly, act, meterFor } = storage
  return {
    redactor,
    records,
    stream,
    devices,
    witnesses,
    readOnly,
    act,
    meterFor,
    askForServer: (permit, asked, signal) =>
      askForServer({ ...options, store: storage.store, stream }, permit, asked, signal),
    start: (parts) => startKernel(storage, parts),
    close: storage.close,
  }
}
