/** Whoever asks for the review of a skill puts a clean report on its card. */
import type { Attack } from '../attack.ts'
import { openStrangerSkill } from '../stranger-skill.ts'

export const attack: Attack = {
  name: 'review-hides-its-report',
  promise: 'A skill is reviewed with the report that its files have, and with no other.',
  mutant: 'reviews-show-anything',
  async run(stage) {
    const skill = await openStrangerSkill(stage, { files: { 'run.py': 'import socket, os\nos.environ\n' } })
    const added = await skill.made('add_skill', skill.wish)
    const hidden = await skill.made('review_skill', { ...skill.shown, report: [] })
    const honest = hidden.ok ? hidden : await skill.made('review_skill', skill.shown)
    return {
      open: hidden.ok,
      control: added.ok && skill.shown.report.length > 0 && honest.ok,
      saw: `with a clean report: ${hidden.text}; with its own: ${honest.text}`,
    }
  },
}
