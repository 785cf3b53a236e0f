/** A page of a stranger has its own name lead to this computer, and its name begins or ends like the public one. */
import type { Attack } from '../attack.ts'
import { askAnyhow, openPublicScene, publicName } from '../public-origin.ts'

export const attack: Attack = {
  name: 'name-like-the-public-one',
  promise: 'The gateway answers under exact names only.',
  mutant: 'names-that-begin-alike',
  async run(stage) {
    const scene = await openPublicScene(stage)
    const asked = async (host: string) =>
      (await askAnyhow(scene, { path: '/v1/pairing', headers: { host } })).status
    const names = [
      `${publicName}.evil.example`,
      `evil-${publicName}`,
      `${publicName}:8443`,
      `${publicName}.`,
      'localhost.evil.example',
    ]
    const answered: string[] = []
    for (const name of names) if ((await asked(name)) === 200) answered.push(name)
    return {
      open: answered.length > 0,
      control: (await asked(publicName)) === 200,
      saw: answered.length === 0 ? 'no other name was answered' : `answered: ${answered.join(', ')}`,
    }
  },
}
