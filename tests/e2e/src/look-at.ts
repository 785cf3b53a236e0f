/** Asks a page about one of its elements. What is asked is text, because the tests know no types of a page. */
import type { Locator } from 'playwright-core'

/** `source` is a function of the element. */
export async function lookAt<T>(one: Locator, source: string): Promise<T> {
  await one.evaluate((element) => {
    Object.assign(globalThis, { lookedAt: element })
  })
  return one.page().evaluate<T>(`(${source})(globalThis.lookedAt)`)
}
