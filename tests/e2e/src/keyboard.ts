/** Owns a person who uses only the keyboard: presses, types, goes on with Tab, and always wants to see where they are. */
import type { Page } from 'playwright-core'

export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** Tab until the thing with these words has the focus. Throws when it never has, or when the focus cannot be seen. */
  tabTo(words: RegExp): Promise<void>
  /** Tab through everything once. Throws when it does not get past something. */
  tabAround(most: number): Promise<Round>
}

export interface Round {
  readonly stops: number
  /** Those whose focus cannot be seen. */
  readonly unseen: readonly string[]
}

interface Focus {
  readonly words: string
  readonly isSeen: boolean
  readonly isNowhere: boolean
  /** The focus has not moved since it was looked at last. */
  readonly isSame: boolean
}

/**
 * The outline may be drawn around what holds the control, as for a radio in its label, or by what comes after it. It is
 * looked at when it is painted.
 */
const focus = `(async () => {
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
  const element = document.activeElement
  if (element === null || element === document.body) return { words: '', isSeen: true, isNowhere: true, isSame: false }
  const labels = [...(element.labels ?? [])].map((label) => label.textContent)
  const named = (element.getAttribute('aria-labelledby') ?? '').split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
  const words = [element.getAttribute('aria-label') ?? '', ...named, ...labels, element.textContent ?? '']
    .join(' ').replaceAll(/\\s+/g, ' ').trim()
  const isOutlined = (each) => [undefined, '::after', '::before'].some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each, part)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })
  // A heading that was given the focus by a change of page is no stop.
  let isSeen = element.tabIndex < 0
  for (let each = element, steps = 0; each && steps < 4; each = each.parentElement, steps += 1)
    if (isOutlined(each)) isSeen = true
  const isSame = window.focusedBefore === element
  window.focusedBefore = element
  return { words, isSeen, isNowhere: false, isSame }
})()`

export function keyboardOf(page: Page): Keyboard {
  const look = () => page.evaluate<Focus>(focus)
  return {
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key)
    },
    type: (text) => page.keyboard.type(text),
    async tabTo(words) {
      const passed: string[] = []
      for (let step = 0; step < 250; step += 1) {
        await page.keyboard.press('Tab')
        const { words: here, isSeen } = await look()
        if (!words.test(here)) {
          passed.push(here.slice(0, 40))
          continue
        }
        if (!isSeen) throw new Error(`It cannot be seen that “${here}” has the focus.`)
        return
      }
      throw new Error(`Tab never came to ${String(words)}. It came to: ${passed.slice(0, 80).join(' | ')}`)
    },
    async tabAround(most) {
      const unseen = new Set<string>()
      for (let stops = 0; stops < most; stops += 1) {
        await page.keyboard.press('Tab')
        const { words, isSeen, isNowhere, isSame } = await look()
        if (isNowhere && stops > 0) return { stops, unseen: [...unseen] }
        if (isSame) throw new Error(`Tab does not get past “${words.slice(0, 80)}”.`)
        if (!isSeen) unseen.add(words.slice(0, 80))
      }
      return { stops: most, unseen: [...unseen] }
    },
  }
}
