/** Owns the cases about what a channel says of itself. */
import type { Case } from './case.ts'
import { expect } from './expect.ts'

export function manifestCases(test: Case): void {
  test([], 'names itself, says what it is and how it is set up', async ({ manifest }) => {
    expect(manifest.kind).toMatch(/^[a-z][a-z0-9-]{1,30}$/)
    expect(manifest.title.length).toBeGreaterThan(1)
    expect(manifest.about).toMatch(/\.$/)
    expect(manifest.steps.length).toBeGreaterThan(0)
    expect(manifest.text.most).toBeGreaterThan(100)
  })

  test([], 'takes its settings, and refuses one that it does not know', async ({ manifest, platform }) => {
    expect(manifest.settings.safeParse(platform.settings).success).toBe(true)
    expect(manifest.settings.safeParse({ ...platform.settings, misspelled: 1 }).success).toBe(false)
  })

  test([], 'names every secret that it is given', async ({ manifest, platform }) => {
    const names = manifest.secrets.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const given of Object.keys(platform.secrets)) expect(names).toContain(given)
    const needed = manifest.secrets.filter(({ optional }) => !optional).map(({ name }) => name)
    for (const name of needed) expect(Object.keys(platform.secrets)).toContain(name)
  })

  test([], 'lets nobody decide whom it cannot tell from others', async ({ manifest }) => {
    if (manifest.proves === 'nothing') expect(manifest.decides).toBe(0)
    if (manifest.direction === 'out') expect(manifest.decides).toBe(0)
  })
}
