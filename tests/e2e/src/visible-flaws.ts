/**
 * Finds what a person would see at once and axe does not: cut or covered words, an action that
 * is offered twice, a command to type.
 */
import type { Page } from 'playwright-core'
import type { State } from './states.ts'

export interface VisibleFlaw {
  readonly rule: 'cut' | 'covered' | 'twice' | 'command'
  readonly target: string
}

export function visibleFlaws(page: Page, state: State): Promise<readonly VisibleFlaw[]> {
  return page.evaluate(`(${findFlaws})(${String(state === 'empty')})`)
}

/** Runs in the page. */
const findFlaws = `(isEmpty) => {
  const main = document.querySelector('main') ?? document.body
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('.sr-only, [inert]') === null
  const words = (element) => (element.textContent ?? '').trim().slice(0, 80)
  // Beyond the edge of what clips it, where nothing scrolls and no dots say that more follows.
  const isCut = (element) => {
    const { left, right, width } = element.getBoundingClientRect()
    if (width < 2) return false
    for (let box = element; box !== null; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return false
      if (box === element || style.overflowX === 'visible') continue
      if (style.overflowX !== 'hidden' && style.overflowX !== 'clip') return false
      const edge = box.getBoundingClientRect()
      return right > edge.right + 1 || left < edge.left - 1
    }
    return right > document.documentElement.clientWidth + 1
  }
  const holdsText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '')
  const texts = [...main.querySelectorAll('*')].filter((element) => holdsText(element) && isSeen(element))
  // A button of the same line lies on the words.
  const isCovered = (element) => {
    const line = element.closest('li, tr, form')
    if (line === null || element.closest('button, a') !== null) return false
    const own = element.getBoundingClientRect()
    return [...line.querySelectorAll('button, a')].filter(isSeen).some((button) => {
      if (button.contains(element) || element.contains(button)) return false
      const other = button.getBoundingClientRect()
      // A link that is as large as its line is meant to lie there.
      if (other.left <= own.left && other.right >= own.right && other.top <= own.top && other.bottom >= own.bottom)
        return false
      const wide = Math.min(own.right, other.right) - Math.max(own.left, other.left)
      const high = Math.min(own.bottom, other.bottom) - Math.max(own.top, other.top)
      return wide > 2 && high > 2
    })
  }
  const buttons = [...main.querySelectorAll('button:not([aria-haspopup]), a')]
    .filter(isSeen)
    .map((each) => each.ariaLabel ?? words(each))
    .filter((name) => /[a-z]/i.test(name))
  const twice = isEmpty ? buttons.filter((name, place) => buttons.indexOf(name) !== place) : []
  return [
    ...texts.filter(isCut).map((each) => ({ rule: 'cut', target: words(each) })),
    ...texts.filter(isCovered).map((each) => ({ rule: 'covered', target: words(each) })),
    ...texts
      .filter((each) => /\\bcountersign [a-z]/.test(each.textContent))
      .map((each) => ({ rule: 'command', target: words(each) })),
    ...twice.map((target) => ({ rule: 'twice', target })),
  ]
}`
