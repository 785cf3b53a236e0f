/** Owns waiting for a window: it is seen a moment before it hears keys, which it does once it has the focus. */
import type { Page } from 'playwright-core'

export function dialogHears(page: Page): Promise<void> {
  return page.locator('[role=dialog]:focus-within').waitFor()
}
