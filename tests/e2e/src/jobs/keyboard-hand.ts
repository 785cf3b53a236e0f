/** Owns the hands of a person without a mouse: Tab, arrows, Space, Enter, and the keys that lead to a screen. */
import type { Locator, Page } from 'playwright-core'
import { keyboardOf } from '../keyboard.ts'
import { lookAt } from '../look-at.ts'
import { until } from '../until.ts'
import type { Fingers } from './fingers.ts'

/** What is pressed after `g`. */
const goKeys: Readonly<Record<string, string>> = {
  Today: 't',
  Chat: 'c',
  Goals: 'g',
  Automations: 'u',
  Agents: 'e',
  Approvals: 'a',
  Activity: 'v',
  Ledger: 'l',
  Policy: 'p',
  Costs: '$',
  Library: 'b',
  Files: 'f',
  Memory: 'm',
  Models: 'o',
  Tools: 'x',
  Devices: 'd',
  Health: 'h',
}

/** Which is chosen, and of which. */
type Options = readonly [number, readonly string[]]

const chosenOption = `(list) => [list.selectedIndex, [...list.options].map((each) => each.label)]`

export function keyboardHand(page: Page): Fingers {
  const keys = keyboardOf(page)
  /** A field for a day has its parts in the order of the browser's language, and a person sees which. */
  const typeDay = async (field: Locator, text: string) => {
    const [year = '', month = '', day = ''] = text.split('-')
    await keys.type(`${month}${day}${year}`)
    if ((await field.inputValue()) === text) return
    await keys.press('ArrowLeft', 'ArrowLeft')
    await keys.type(`${day}${month}${year}`)
  }
  return {
    async press(one) {
      await keys.reach(one)
      await keys.press(await keyFor(one))
    },
    async write(field, text) {
      await keys.reach(field)
      if ((await field.getAttribute('type')) === 'date') return typeDay(field, text)
      await keys.press('Control+A')
      if (text === '') await keys.press('Delete')
      else await keys.type(text)
    },
    async pick(list, option) {
      await keys.reach(list)
      for (;;) {
        const [at, options] = await lookAt<Options>(list, chosenOption)
        const wanted = options.indexOf(option)
        if (wanted < 0) throw new Error(`There is no “${option}” in ${options.join(', ')}.`)
        if (wanted === at) return
        await keys.press(wanted > at ? 'ArrowDown' : 'ArrowUp')
        await until(async () => {
          const [now] = await lookAt<Options>(list, chosenOption)
          return now !== at
        })
      }
    },
    async go(title) {
      const key = goKeys[title]
      const isTyping = await page.evaluate<boolean>(
        `document.activeElement.matches('input, textarea, select, [contenteditable]')`,
      )
      if (key !== undefined && !isTyping) return keys.press('g', key)
      await keys.press('Control+K')
      const palette = page.getByRole('combobox', { name: 'Search for a page' })
      await palette.waitFor()
      await keys.type(title)
      await page.getByRole('option', { name: title, exact: true, selected: true }).waitFor()
      await keys.press('Enter')
      await palette.waitFor({ state: 'detached' })
    },
  }
}

/** Enter follows a link; Space presses what Enter must not, such as an approval. */
async function keyFor(one: Locator): Promise<string> {
  const isLink = await lookAt<boolean>(
    one,
    `(each) => each.matches('a, [role=menuitem], [role=tab], summary')`,
  )
  return isLink ? 'Enter' : 'Space'
}
