/** A program that may ask twice in an hour proposes many calls at the same time, and many that come to nothing. */
import { letIn, type ToolAnswer } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const most = 2
const attempts = 12

export const attack: Attack = {
  name: 'program-proposes-at-once',
  promise: 'What a program proposes counts before it is made, whatever comes of it.',
  mutant: 'proposals-counted-afterwards',
  async run(stage) {
    const scene = await stage.scene()
    const limits = { tools: ['get_current_time'], messagesPerHour: most }
    const many = await letIn(scene, { role: 'trusted', private: true, limits })
    const wrong = await letIn(scene, { role: 'trusted', private: true, limits })
    const each = Array.from({ length: attempts })
    const tool = 'get_current_time'
    const done = await Promise.all(each.map(() => many.call('propose_call', { tool })))
    const failed: ToolAnswer[] = []
    for (const _ of each)
      failed.push(await wrong.call('propose_call', { tool, arguments: { nothing: 'of the sort' } }))
    const ran = done.filter(({ isError }) => isError !== true).length
    const read = failed.filter(({ content }) => content[0]?.text.includes('do not fit')).length
    return {
      open: ran > most || read > most,
      control: ran === most && read > 0,
      saw: `${ran} of ${attempts} at once were made, and ${read} that did not fit were read`,
    }
  },
}
