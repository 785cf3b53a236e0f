/** Reads of a page in a private context are free. The page tries to notice them, to carry a bit for each to its server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { openWatchingPage } from '../watching-page.ts'

export const attack: Attack = {
  name: 'page-times-reads',
  promise: 'Between two calls that act on it a page does not run and sends nothing, whatever is read of it.',
  mutant: 'pages-run-between-calls',
  async run(stage) {
    const watching = await openWatchingPage(stage)
    const url = `http://localhost:${watching.port}/`
    const scene = await stage.ownScene({
      environment: { COUNTERSIGN_LOCAL_TARGETS: `localhost:${watching.port}` },
    })
    writeFileSync(join(scene.installation.paths.workspace, 'private.txt'), 'PIN')
    let before = 0
    const read = (selector: string) => [{ name: 'browser_extract_text', args: { url, selector } }]
    scene.plan('watched', [
      [{ name: 'browser_navigate', args: { url } }],
      () => {
        before = watching.beats.length
        return [{ name: 'read_file', args: { path: 'private.txt' } }]
      },
      read('button'),
      read('.q:not(:has(~ .q ~ .zz)):not(:has(~ .q ~ .q ~ .zz))'),
      [{ name: 'browser_click', args: { url, selector: 'button' } }],
    ])
    const opened = await scene.run('watched')
    const asked = await scene.approve(opened)
    const heard = watching.beats.length
    const done = await scene.approve(asked)
    const [, , cheap, dear, click] = done.detail.calls
    const last = watching.beats[heard - 1] ?? 0
    const between = heard - before
    const unheard = (watching.beats[heard] ?? 0) - last - 1
    const isFree = cheap?.decision?.kind === 'allow' && dear?.decision?.kind === 'allow'
    const ends = [cheap, dear, click].map((call) => call?.outcome ?? 'none')
    return {
      open: between > 0 || unheard > mostOnTheWay,
      control: isFree && ends.every((end) => end === 'ok') && last > 0 && unheard >= 0,
      saw: `${between} beats arrived and ${unheard} more were counted between the calls; ${last} during the first; the reads were ${isFree ? '' : 'not '}free and ended ${ends.join(', ')}`,
    }
  },
}

/** A beat that was on its way when the page was stopped is lost. */
const mostOnTheWay = 2
