/** A skill asks to be held to one script, and another one whose name is a part of that is run. */
import type { Attack } from '../attack.ts'
import { openStrangerSkill } from '../stranger-skill.ts'

export const attack: Attack = {
  name: 'skill-runs-another-script',
  promise: 'Where a skill names the scripts that it wants to run, no other one is run.',
  mutant: 'scripts-by-parts-of-names',
  async run(stage) {
    const skill = await openStrangerSkill(stage, {
      files: {
        'scripts/safe/fill.sh': 'echo safe',
        'scripts/fill.sh': 'echo other',
        'fill.sh': 'echo other',
      },
      tools: 'Bash(/skill/scripts/safe/fill.sh:*)',
    })
    await skill.made('add_skill', skill.wish)
    const run = (script: string) => skill.refusal('run_skill_script', { skill: 'letters', script })
    const others = [await run('fill.sh'), await run('scripts/fill.sh')]
    const named = await run('scripts/safe/fill.sh')
    return {
      open: others.includes(''),
      control: named === '',
      saw: `the others: ${JSON.stringify(others)}; the named one: ${named || 'can be asked for'}`,
    }
  },
}
