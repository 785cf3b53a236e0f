/** Owns a person who uses only the keyboard: presses, types, goes on with Tab, and always wants to see where they are. */
import type { Locator, Page } from 'playwright-core'
import { lookAt } from './look-at.ts'

export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** Tab until the thing with these words has the focus. Throws when it never has, or when the focus cannot be seen. */
  tabTo(words: RegExp): Promise<void>
  /** Tab, and the arrows of a group, until this very thing has the focus. Throws as `tabTo` does. */
  reach(one: Locator): Promise<void>
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

/** Where the focus is, as seen from something that a person wants to get to. */
interface Way {
  readonly isThere: boolean
  /** It is at another item of the same menu, the same tabs or the same choice: arrows lead on. */
  readonly isInGroup: boolean
  readonly isBehind: boolean
}

const way = `(wanted) => {
  const here = document.activeElement
  const isRadio = (each) => each instanceof HTMLInputElement && each.type === 'radio'
  const group = wanted.closest('[role=menu], [role=tablist]')
  const isInGroup = isRadio(wanted)
    ? isRadio(here) && here.name === wanted.name
    : group !== null && group.contains(here)
  const isBehind = (here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  return { isThere: here === wanted, isInGroup, isBehind }
}`

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
    async reach(one) {
      const passed: string[] = []
      let tab: string | null = null
      for (let step = 0; step < 250; step += 1) {
        const { isThere, isInGroup, isBehind } = await lookAt<Way>(one, way)
        const { words, isSeen } = await look()
        if (isThere && !isSeen) throw new Error(`It cannot be seen that “${words}” has the focus.`)
        if (isThere) return
        passed.push(words.slice(0, 40))
        tab ??= isBehind ? 'Shift+Tab' : 'Tab'
        const arrow = (await one.getAttribute('role')) === 'tab' ? 'ArrowRight' : 'ArrowDown'
        await page.keyboard.press(isInGroup ? arrow : tab)
      }
      throw new Error(
        `The keyboard never came to ${String(one)}. It came to: ${passed.slice(0, 80).join(' | ')}`,
      )
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
