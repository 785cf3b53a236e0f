/** `countersign extension pin` and `unpin`: nothing takes the place of a pinned server or skill until it is let go. */
import type { Handler } from '../context.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { made, missing, pluginWord, serverNamed } from './extension.ts'
import { skillNamed } from './extension-skill.ts'

const pinned =
  (isPinned: boolean): Handler =>
  async (context, [name = '']) => {
    const command = isPinned ? 'extension pin' : 'extension unpin'
    const { client } = await context.gateway()
    const skill = await skillNamed(client, name)
    const entry = skill ?? (await serverNamed(client, name))
    if (!entry) return missing(name, command)
    if ((entry.pinned === true) === isPinned)
      return usage(`${line(name)} is ${isPinned ? 'pinned already' : 'not pinned'}.`, command)
    return skill
      ? made(context, client, 'pin_skill', { name, pinned: isPinned })
      : made(context, client, 'pin_server', {
          server: name,
          pinned: isPinned,
          ...(await pluginWord(client, name)),
        })
  }

export const pin = pinned(true)
export const unpin = pinned(false)
