import { CountersignError } from '@countersign/contract'
import type { WitnessMemory } from '@countersign/contract/client'
import { beforeEach, expect, test } from 'vitest'
import { lookAtLedger, witnessEveryMs } from './ledger-witness.ts'

let kept: unknown
let now: Date
let asked: number
beforeEach(() => {
  kept = undefined
  now = new Date('2026-11-19T10:00:00Z')
  asked = 0
})

const look = (head: () => Promise<never>) =>
  lookAtLedger({
    client: {
      ledgerHead: () => {
        asked += 1
        return head()
      },
      reportSeenHead: () => Promise.reject(new Error('nothing was seen')),
      complainOfLedger: () => Promise.reject(new Error('nothing was seen')),
    },
    store: {
      get: () => Promise.resolve(kept),
      put: async (memory) => {
        kept = memory
      },
    },
    device: {
      gateway: 'gw_1',
      gatewayKey: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      device: 'dev_1',
      publicKey: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      sign: () => Promise.resolve(''),
    },
    operator: 'op_1',
    now: () => now,
    alone: (work) => work(),
  })
const away = () => Promise.reject(new CountersignError('gateway_unreachable', 'away'))
const unsigned = () => Promise.resolve({ note: 'nothing', size: 0, from: 0, proof: [] } as never)

test('a gateway that is away says nothing of the ledger, and is asked again', async () => {
  expect(await look(away)).toEqual({ seen: null, checkedAt: null, trouble: null })
  await look(away)
  expect(asked).toBe(2)
  expect(kept).toBeUndefined()
})

test('a complaint is kept, and nothing is asked before ten minutes are over', async () => {
  const memory = await look(unsigned)
  expect(memory.trouble?.code).toBe('form')
  expect((kept as WitnessMemory).trouble).toEqual(memory.trouble)
  now = new Date(now.getTime() + witnessEveryMs - 1)
  expect(await look(unsigned)).toEqual(memory)
  expect(asked).toBe(1)
  now = new Date(now.getTime() + 1)
  await look(unsigned)
  expect(asked).toBe(2)
})

test('what was kept and cannot be read is told, and not forgotten', async () => {
  kept = { seen: { note: 'x' }, checkedAt: null, trouble: null }
  expect((await look(unsigned)).trouble?.reason).toContain('cannot be read')
  expect(asked).toBe(0)
  expect(kept).toEqual({ seen: { note: 'x' }, checkedAt: null, trouble: null })
})
