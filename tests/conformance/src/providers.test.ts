import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ProviderKind } from '../../../packages/contract/src/index.ts'
import { providerCases } from './provider-case.ts'
import { environmentKeys, rows, tryCell } from './rows.ts'

beforeEach(() => {
  for (const [name, value] of Object.entries(environmentKeys())) vi.stubEnv(name, value)
})
afterEach(() => void vi.unstubAllEnvs())

test('tries every kind of provider', () => {
  // The demo model speaks no protocol.
  const called = ProviderKind.options.filter((kind) => kind !== 'demo')
  expect(providerCases.map(({ kind }) => kind).toSorted()).toEqual(called.toSorted())
})

describe.each(providerCases)('the provider $kind', (provider) => {
  test.each(rows)('holds the row $name: $means', async (row) => {
    expect(await tryCell(provider, row)).toMatch(/./)
  })
})
