import { expect, it } from 'vitest'
import { adapters } from './adapters.ts'
import { manifests } from './manifests.ts'

it('has an adapter for each channel that says what it is, and the other way round', async () => {
  expect(Object.keys(adapters).toSorted()).toEqual(manifests.map(({ kind }) => kind).toSorted())
  for (const manifest of manifests) expect((await adapters[manifest.kind]?.())?.manifest).toBe(manifest)
})
