/** A program gives a file a name with line breaks, so that the list on the card has lines of its choice. */
import type { Attack } from '../attack.ts'
import { linesOnCard, runProgram } from '../programs.ts'
import { lay } from '../strangers-words.ts'

const forged = 'made cards/harmless.txt (5 B)'

export const attack: Attack = {
  name: 'name-forges-a-card',
  promise: 'A name is one line of the list on a card, whatever is in it.',
  mutant: 'names-break-lines',
  async run(stage) {
    const scene = await stage.ownScene()
    lay(scene, 'cards/gone.txt', 'Mine.')
    const run = await runProgram(
      scene,
      'card-forged',
      `rm cards/gone.txt; name="$(printf 'a (1 B)\\n${forged.replaceAll('/', '|')}')"; mkdir -p "cards/$(printf 'b\\nmade cards')"; echo word > "cards/$name"; echo word > "cards/$(printf 'b\\nmade cards')/harmless.txt"`,
    )
    const lines = linesOnCard(run)
    return {
      open: lines.some((line) => /^(made cards\/harmless\.txt|made cards\|harmless\.txt)/.test(line)),
      control: lines.includes('removed cards/gone.txt'),
      saw: lines.join(' ⏎ '),
    }
  },
}
