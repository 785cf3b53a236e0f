/** A program goes on talking in the hidden conversation of a call that it proposed. */
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'program-talks-where-nobody-looks',
  promise: 'What a program says stands in a conversation that the operator sees.',
  mutant: 'programs-talk-where-they-proposed',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene, { limits: { tools: ['get_current_time'] } })
    scene.plan('unseen', [])
    const { structuredContent: proposed } = await program.call('propose_call', { tool: 'get_current_time' })
    const place = String(proposed?.['conversation'])
    const ways = [{ conversation: place }, { previous_response_id: `resp_${String(proposed?.['question'])}` }]
    const asked = ways.map((way, each) =>
      program.post('/responses', { model: 'reception', input: `unseen, ${each}`, ...way }),
    )
    const texts = await Promise.all(asked.map(async (response) => (await response).text()))
    const hidden = (await scene.gateway.client.sessions()).filter((each) => each.hidden).map(({ id }) => id)
    const led = texts.filter((text) => hidden.some((id) => text.includes(id)))
    const own = await program.ask('unseen as well')
    return {
      open: led.length > 0,
      control: hidden.includes(place as never) && own.ok,
      saw: `${led.length} of ${ways.length} questions were asked in a hidden conversation`,
    }
  },
}
