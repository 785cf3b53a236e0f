/** A picture of the whole page is taken of the page as it is when somebody asks for it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/browser/session-browser.ts',
    from: 'return snapshot ? readSnapshot(snapshot, action, signal) : failure(nothingOpen)',
    to: `freezer.thaw()
      if (action.action === 'screenshot') await visit?.page.screenshot({ fullPage: action.fullPage })
      freezer.freeze()
      return snapshot ? readSnapshot(snapshot, action, signal) : failure(nothingOpen)`,
  },
])
