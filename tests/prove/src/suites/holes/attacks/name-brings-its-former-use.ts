/** A skill is let in under the name of a server that was used every day and removed, and looks well tried. */
import { extensionParts, type InstalledExtensions } from '@countersign/contract'
import type { Attack } from '../attack.ts'

type Skill = InstalledExtensions['skills'][number]

const skill = (addedAt: string): Skill => ({
  name: 'letters',
  description: '',
  tree: 'a'.repeat(64),
  files: [],
  source: '',
  reviewed: true,
  enabled: true,
  allowedTools: null,
  addedAt,
})
const part = (name: string, lastAt: string) => ({ part: name, calls: 3, failures: 0, lastAt })
const use = {
  since: '2026-08-01T00:00:00.000Z',
  extensions: [
    {
      name: 'letters',
      parts: [part('send', '2026-11-12T00:00:00.000Z'), part('use_skill', '2026-11-10T00:00:00.000Z')],
    },
  ],
}

export const attack: Attack = {
  name: 'name-brings-its-former-use',
  promise: 'What was used under a name before something else was let in by it was not that one.',
  mutant: 'former-uses-count',
  async run() {
    const calls = (addedAt: string) =>
      extensionParts({ servers: [], skills: [skill(addedAt)], proposals: [] }, use)[0]?.calls ?? -1
    const ofOthers = calls('2026-11-11T00:00:00.000Z')
    const own = calls('2026-11-01T00:00:00.000Z')
    return {
      open: ofOthers > 0,
      control: own === 3,
      saw: `calls of what had the name: ${ofOthers}; its own: ${own}`,
    }
  },
}
