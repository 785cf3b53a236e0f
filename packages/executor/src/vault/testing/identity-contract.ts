/** What every place for the key of the vault must do. */
import { describe, expect, test } from 'vitest'
import type { IdentityStore } from '../identity.ts'

export interface IdentityBench {
  /** A store over the same keeping place, as a later process would open it. */
  open(): IdentityStore
}

/** `fresh` gives a keeping place in which nothing is. */
export function identityContract(name: string, fresh: () => IdentityBench): void {
  describe(`${name} as a place for the key of the vault`, () => {
    test('holds nothing at first', async () => {
      expect(await fresh().open().read()).toBeNull()
    })

    test('gives back what was put in, also to a later process', async () => {
      const place = fresh()
      await place.open().write('AGE-SECRET-KEY-1FIRST')
      expect(await place.open().read()).toBe('AGE-SECRET-KEY-1FIRST')
    })

    test('takes the same key twice, and refuses to replace it by another', async () => {
      const store = fresh().open()
      await store.write('AGE-SECRET-KEY-1FIRST')
      await store.write('AGE-SECRET-KEY-1FIRST')
      await expect(store.write('AGE-SECRET-KEY-1OTHER')).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.read()).toBe('AGE-SECRET-KEY-1FIRST')
    })

    test('keeps two homes apart', async () => {
      const [mine, yours] = [fresh().open(), fresh().open()]
      await mine.write('AGE-SECRET-KEY-1MINE')
      expect(await yours.read()).toBeNull()
    })

    test('never says the key in an error', async () => {
      const store = fresh().open()
      await store.write('AGE-SECRET-KEY-1FIRST')
      const error: unknown = await store.write('AGE-SECRET-KEY-1OTHER').catch((caught: unknown) => caught)
      expect(String(error)).not.toContain('AGE-SECRET-KEY')
    })
  })
}
