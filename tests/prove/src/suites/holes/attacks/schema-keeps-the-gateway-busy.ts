/** A model gives a schema whose patterns compile to millions of steps, and the gateway does nothing else meanwhile. */
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'schema-keeps-the-gateway-busy',
  promise: 'How large the patterns of a schema become is worked out before they are compiled.',
  mutant: 'patterns-unmeasured',
  async run(stage) {
    const scene = await stage.scene()
    const schemaOf = (pattern: string) => ({
      type: 'object',
      properties: { code: { type: 'string', pattern } },
      required: ['code'],
    })
    // Small enough that the mutant comes to its end, and twice as large as what is taken.
    const call = (pattern: string) => ({
      name: 'extract_structured_data',
      args: { text: 'The code is AB-12.', schema: schemaOf(pattern) },
    })
    scene.plan('schema-busy', [
      [call('(?:abcdefghijklmnopqrstuvwxyz0123456789){1,1000}'), call('^[A-Z]{2}-[0-9]{2}$')],
    ])
    const { detail } = await scene.run('schema-busy')
    const [large, small] = detail.calls.map(({ summary, state }) => `${state}: ${summary}`)
    return {
      open: !/cannot be used/.test(large ?? ''),
      control: detail.calls.length === 2 && !/cannot be used/.test(small ?? ''),
      saw: JSON.stringify({ large, small }),
    }
  },
}
