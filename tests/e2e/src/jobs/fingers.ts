/** Owns what every kind of hand can do. */
import type { Locator } from 'playwright-core'

/** What a person can do with one kind of hand. */
export interface Fingers {
  press(one: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
  /** One of the options of a drop-down list. */
  pick(list: Locator, option: string): Promise<void>
  /** A destination by its title. */
  go(title: string): Promise<void>
}
