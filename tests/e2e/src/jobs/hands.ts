/**
 * Owns the three hands that do every job: a mouse at a desk, a keyboard alone, and a thumb on a phone. A job says what is
 * pressed and written; the hand knows how, and refuses what its person could not do.
 */
import type { Locator, Page } from 'playwright-core'
import { narrow, openWindow } from '../browser.ts'
import { isLive, type PairedPage, pairedPage } from '../pairing.ts'
import type { Scene } from '../scene.ts'
import { hasSettled } from '../screens.ts'
import type { Fingers } from './fingers.ts'
import { keyboardHand } from './keyboard-hand.ts'
import { mouseHand } from './mouse-hand.ts'
import { thumbHand } from './thumb-hand.ts'

export const handNames = ['mouse', 'keyboard', 'touch'] as const
export type HandName = (typeof handNames)[number]

export type Name = string | RegExp
/** By its name alone it is whatever can be pressed and has that name. */
export type Pressed = Name | { readonly role: Role; readonly name: Name }
export type Role = Parameters<Page['getByRole']>[0]

export interface Hand {
  readonly name: HandName
  readonly page: Page
  go(title: string): Promise<void>
  press(what: Pressed): Promise<void>
  fill(label: Name, text: string): Promise<void>
  choose(label: Name, option: string): Promise<void>
  /** Opens a menu and takes one of its items. */
  menu(button: Pressed, item: Name): Promise<void>
  sees(text: Name): Promise<void>
  /** It is no longer there. */
  missed(text: Name): Promise<void>
  /** The same hand, only in the window, in the region, in the article … of that name. */
  within(role: Role, name?: Name): Hand
  /** The same hand, only in the row or card with these words. */
  inRow(text: Name): Hand
}

export interface Person {
  readonly hand: Hand
  readonly entered: PairedPage
  /** A job begins on Today, with nothing open. */
  begin(): Promise<void>
}

const fingersOf = { mouse: mouseHand, keyboard: keyboardHand, touch: thumbHand }
/** A thing that can be pressed is one of these. */
const pressable: readonly Role[] = [
  'button',
  'link',
  'tab',
  'menuitem',
  'checkbox',
  'switch',
  'radio',
  'option',
]

export async function enterAs(scene: Scene, name: HandName): Promise<Person> {
  const window = await openWindow(scene.browser, name === 'touch' ? { ...narrow, phone: true } : {})
  await window.grantPermissions(['clipboard-read', 'clipboard-write'])
  const entered = await pairedPage(window, scene.installation, scene.gateway, '/')
  const { page } = entered
  return {
    hand: handOn(page, name, fingersOf[name](page), page.locator('body')),
    entered,
    async begin() {
      await page.goto(entered.at('/'))
      await isLive(page)
      await hasSettled(page)
    },
  }
}

function handOn(page: Page, name: HandName, fingers: Fingers, place: Locator): Hand {
  const inside = (there: Locator) => handOn(page, name, fingers, there)
  const press = async (what: Pressed, where = place) => fingers.press(await ready(thing(where, what), what))
  return {
    name,
    page,
    async go(title) {
      await fingers.go(title)
      await hasSettled(page)
    },
    press: (what) => press(what),
    fill: async (label, text) => fingers.write(await ready(field(place, label), label), text),
    choose: async (label, option) => fingers.pick(await ready(field(place, label), label), option),
    async menu(button, item) {
      await press(button)
      await press({ role: 'menuitem', name: item }, page.locator('body'))
    },
    async sees(text) {
      await words(place, text)
        .waitFor()
        .catch(() => missing(`“${String(text)}” is not seen.`))
    },
    missed: (text) => words(place, text).waitFor({ state: 'hidden' }),
    within(role, title) {
      const found = place.getByRole(role, title === undefined ? {} : named(title))
      // A window that was opened over another is the last one.
      return inside(role === 'dialog' ? found.last() : found.first())
    },
    inRow: (text) => inside(place.locator('li, tr, article').filter({ hasText: text }).first()),
  }
}

/** It is there, and it is not one that says that it does nothing yet. */
async function ready(one: Locator, what: Pressed): Promise<Locator> {
  const name = typeof what === 'string' || what instanceof RegExp ? what : `${what.role} ${String(what.name)}`
  await one.waitFor().catch(() => missing(`There is no “${String(name)}”.`))
  await one
    .and(one.page().locator('*:not([aria-disabled=true]):not(:disabled)'))
    .waitFor()
    .catch(() => missing(`“${String(name)}” cannot be pressed.`))
  return one
}

function missing(problem: string): never {
  throw new Error(problem)
}

const named = (name: Name) => (typeof name === 'string' ? { name, exact: true } : { name })
const words = (place: Locator, text: Name) => place.getByText(text).filter({ visible: true }).first()

function field(place: Locator, label: Name): Locator {
  return place
    .getByLabel(label, { exact: typeof label === 'string' })
    .and(place.page().locator('input, textarea, select'))
    .filter({ visible: true })
    .first()
}

function thing(place: Locator, what: Pressed): Locator {
  const { roles, name } =
    typeof what === 'string' || what instanceof RegExp
      ? { roles: pressable, name: what }
      : { roles: [what.role], name: what.name }
  const [first, ...rest] = roles.map((role) => place.getByRole(role, named(name)))
  if (first === undefined) throw new Error('It has no role.')
  return rest
    .reduce((all, each) => all.or(each), first)
    .filter({ visible: true })
    .first()
}
