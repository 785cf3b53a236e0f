/** A meter for tests that keeps what it is told. */
import type { Meter, PlannedCall, Shortage, SpentCall } from '@countersign/agent'

export interface MemoryMeter extends Meter {
  readonly planned: readonly PlannedCall[]
  readonly spent: readonly SpentCall[]
  /** Reservations without a settlement. */
  readonly open: number
}

export const someShortage: Shortage = {
  budget: 'global:month',
  subject: '',
  period: '2026-11',
  limitNanos: 10,
  takenNanos: 9,
  neededNanos: 5,
  message: 'The month is spent. Raise the limit to go on.',
}

export function memoryMeter({ refuses = false }: { readonly refuses?: boolean } = {}): MemoryMeter {
  const planned: PlannedCall[] = []
  const spent: SpentCall[] = []
  const settled: string[] = []
  return {
    planned,
    spent,
    get open() {
      if (new Set(settled).size !== settled.length) throw new Error('A reservation was settled twice.')
      return (refuses ? 0 : planned.length) - settled.length
    },
    async reserve(call) {
      planned.push(call)
      return refuses
        ? { kind: 'refused', shortage: someShortage }
        : { kind: 'reserved', id: `call-${planned.length}` }
    },
    async settle(id, call) {
      settled.push(id)
      spent.push(call)
    },
  }
}
