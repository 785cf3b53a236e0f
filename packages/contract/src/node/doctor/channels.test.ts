import { expect, it } from 'vitest'
import { channelsStand } from './channels.ts'

const well = { name: 'chat', state: 'connected', problem: null, aside: 0, unknown: 0 } as const

it('finds nothing in channels that are connected or paused', () => {
  expect(channelsStand([])).toMatchObject({ severity: 'ok' })
  expect(channelsStand([well, { ...well, state: 'paused' }])).toMatchObject({ severity: 'ok', fix: '' })
})

it.each([
  [
    { state: 'disconnected', problem: 'The server is away.' },
    'not connected (The server is away.)',
    'channel show chat',
  ],
  [{ state: 'rejected', problem: 'No such token.' }, 'rejected', 'channel set chat'],
  [{ aside: 2 }, '2 messages were put aside', 'channel log chat --state aside'],
  [{ unknown: 1 }, 'whether 1 messages arrived', 'channel log chat --state unknown'],
] as const)('says what to do about %o', (trouble, evidence, fix) => {
  const found = channelsStand([well, { ...well, ...trouble }])
  expect(found.severity).toBe('warning')
  expect(found.evidence).toContain(evidence)
  expect(found.fix).toContain(fix)
})
