/** A suggestion answers calls of several places. It is made of one of them, whose place is not the one that was shown. */
import type { Attack } from '../attack.ts'
import { callsOf, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'suggestion-grants-another',
  promise: 'The grant that a suggestion makes is the one that was shown.',
  mutant: 'suggestions-of-any-call',
  async run(stage) {
    const scene = await sceneAt(stage, 'low')
    const { client } = scene.gateway
    const written = (path: string) => {
      const word = path.replaceAll('/', '-')
      scene.plan(word, [[{ name: 'write_file', args: { path, content: 'Plant.' } }]])
      return scene.run(word)
    }
    // The newest lies in a folder of its own.
    for (const path of ['plans/a.md', 'plans/b.md', 'plans/deep/c.md'])
      await scene.approve(await written(path))
    const [suggestion] = await client.suggestedGrants()
    if (!suggestion) return { open: false, control: false, saw: 'nothing is suggested' }
    const { grant } = await client.takeSuggestion(suggestion.id)
    const made = (await client.grants()).find(({ id }) => id === grant)
    const inside = await written('plans/d.md')
    return {
      open: made?.sentence !== suggestion.sentence,
      control: suggestion.answers === 3 && made !== undefined,
      saw: `shown: ${suggestion.sentence}; made: ${made?.sentence}; then ${callsOf(inside)}`,
    }
  },
}
