/** The operator names a conversation of a program for themselves; the program lists its own. */
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const own = 'Nonsense of the thermostat'

export const attack: Attack = {
  name: 'program-reads-what-it-is-called',
  promise: 'A program knows its conversations by what it said, and not by what the operator calls them.',
  mutant: 'titles-are-told-to-programs',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene)
    scene.plan('named', [])
    const asked = await program.ask('named by somebody else')
    const place = asked.headers.get('x-conversation-id') ?? ''
    await scene.gateway.client.renameSession(place as never, own)
    const renamed = (await scene.gateway.client.sessions()).find(({ id }) => id === place)?.title
    const listed = JSON.stringify((await program.call('list_conversations')).structuredContent)
    return {
      open: listed.includes(own),
      control: renamed === own && listed.includes(place) && listed.includes('named by somebody else'),
      saw: `it was told ${listed}`,
    }
  },
}
