/** Owns the thumb on a phone. What it taps must be large enough to be hit: 44 by 44 pixels, with what belongs to it. */
import type { Locator, Page } from 'playwright-core'
import { lookAt } from '../look-at.ts'
import type { Fingers } from './fingers.ts'

/**
 * How far one may be from the middle of a thing and still hit it, across and down. What is drawn around it counts, such
 * as its label, and what covers it does not.
 */
const reachOf = `(one) => {
  const { left, top, width, height } = one.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const own = [one, ...(one.labels ?? [])]
  const isHit = (dx, dy) => {
    const met = document.elementFromPoint(x + dx, y + dy)
    return met !== null && own.some((each) => each.contains(met))
  }
  const span = (dx, dy) => {
    let most = 0
    while (most < 60 && isHit(dx * (most + 1), dy * (most + 1))) most += 1
    return most
  }
  return [span(-1, 0) + span(1, 0) + 1, span(0, -1) + span(0, 1) + 1]
}`

const least = 43

const nameOf = async (one: Locator) =>
  (await one.getAttribute('aria-label')) ?? (await one.textContent()) ?? String(one)

export function thumbHand(page: Page): Fingers {
  const tap = async (one: Locator) => {
    await one.scrollIntoViewIfNeeded()
    // Whatever opens is still moving.
    await one.tap({ trial: true })
    const [across, down] = await lookAt<readonly [number, number]>(one, reachOf)
    if (across < least || down < least)
      throw new Error(
        `“${await nameOf(one)}” is too small for a thumb: ${String(across)} × ${String(down)} pixels.`,
      )
    await one.tap()
  }
  return {
    press: tap,
    async write(field, text) {
      await tap(field)
      await field.fill(text)
    },
    async pick(list, option) {
      await tap(list)
      await list.selectOption({ label: option })
    },
    async go(title) {
      const bar = page.getByRole('navigation', { name: 'Main' })
      const onBar = bar.getByRole('link', { name: new RegExp(`^${title}`) })
      if ((await onBar.count()) > 0) return tap(onBar)
      await tap(bar.getByRole('button', { name: 'More' }))
      await tap(page.getByRole('dialog').getByRole('link', { name: title, exact: true }))
    },
  }
}
