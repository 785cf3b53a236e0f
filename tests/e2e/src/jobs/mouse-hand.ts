/** Owns the hand on a mouse, with a keyboard beside it for what is written. */
import type { Page } from 'playwright-core'
import type { Fingers } from './fingers.ts'

export function mouseHand(page: Page): Fingers {
  return {
    press: (one) => one.click(),
    async write(field, text) {
      await field.click()
      await field.fill(text)
    },
    async pick(list, option) {
      await list.hover()
      await list.selectOption({ label: option })
    },
    async go(title) {
      const rail = page.getByRole('navigation', { name: 'Main' })
      const name = title === 'Settings' ? /Settings$/ : new RegExp(`^${title}`)
      await rail.getByRole('link', { name }).click()
    },
  }
}
