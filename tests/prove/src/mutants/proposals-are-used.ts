/** A skill that an agent wrote is read and run before anybody reviewed it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/usable-skill.ts',
    from: 'const skill = skillNamed(installed, name)',
    to: "const skill = skillNamed(installed, name) ?? installed.proposals.map((each) => ({ ...each, reviewed: true, enabled: true, source: '', addedAt: '' })).find((each) => each.name === name)",
  },
  {
    file: 'executor/src/capabilities/extensions.ts',
    from: 'return now.skills.find(',
    to: 'return [...now.skills, ...now.proposals].find(',
  },
])
