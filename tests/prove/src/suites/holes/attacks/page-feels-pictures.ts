/** A picture of the whole page changes its layout. The page tries to tell pictures apart by what it saw meanwhile. */
import { openTestBrowsers } from '../../../../../../packages/executor/src/browser/testing/test-site.ts'
import type { Attack } from '../attack.ts'
import { openWatchingPage } from '../watching-page.ts'

export const attack: Attack = {
  name: 'page-feels-pictures',
  promise: 'A page cannot tell whether pictures of it were taken, nor which.',
  mutant: 'pictures-are-taken-live',
  async run(stage) {
    const watching = await openWatchingPage(stage)
    const url = `http://127.0.0.1:${watching.port}/`
    const { pool, act } = openTestBrowsers([watching.port])
    stage.afterwards(() => pool.close())
    await act({ action: 'navigate', url })
    const heard = watching.beats.length
    const taken = []
    for (const fullPage of [true, false, true]) taken.push(await act({ action: 'screenshot', url, fullPage }))
    const clicked = await act({ action: 'click', url, selector: 'button' })
    const unheard = (watching.beats[heard] ?? 0) - (watching.beats[heard - 1] ?? 0) - 1
    const resizes = watching.told[0]?.resizes
    return {
      open: unheard > mostOnTheWay,
      control: [...taken, clicked].every(({ kind }) => kind === 'seen') && resizes !== undefined,
      saw: `${unheard} beats between the calls, ${resizes} changes of layout in all`,
    }
  },
}

/** A beat that was on its way when the page was stopped is lost. */
const mostOnTheWay = 2
