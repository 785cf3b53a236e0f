/** The thread that holds the vectors and scans them, so that the event loop of the gateway does not. */
import { parentPort } from 'node:worker_threads'
import { createScanMatrix, type ScanMatrix } from './scan-matrix.ts'
import type { ScanAnswer, ScanOrder } from './scan-message.ts'

/** By operator, then by model. */
const held = new Map<string, Map<string, ScanMatrix>>()

parentPort?.on('message', (order: ScanOrder) => {
  const mine = held.get(order.operator) ?? new Map<string, ScanMatrix>()
  switch (order.kind) {
    case 'put': {
      const matrix = mine.get(order.model) ?? createScanMatrix(order.dimensions)
      mine.set(order.model, matrix)
      held.set(order.operator, mine)
      matrix.put(order.memories, order.vectors)
      for (const other of mine.values())
        if (other !== matrix) for (const { id } of order.memories) other.remove(id)
      return
    }
    case 'remove':
      for (const matrix of mine.values()) for (const id of order.ids) matrix.remove(id)
      return
    case 'drop':
      held.delete(order.operator)
      return
    case 'search': {
      const found = mine.get(order.model)?.search(order.vector, order.limit, order.filter) ?? []
      parentPort?.postMessage({ id: order.id, found } satisfies ScanAnswer)
    }
  }
})
