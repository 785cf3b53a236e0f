/** A mail server numbers a watched folder anew, so that every e-mail in it looks as if it had just come. */
import type { Attack } from '../attack.ts'
import { openWatchedFolder } from '../watched-folder.ts'

export const attack: Attack = {
  name: 'folder-numbered-anew',
  promise: 'An e-mail starts work once, however often its server numbers the folder anew.',
  mutant: 'folders-begin-empty',
  async run(stage) {
    const { servers, watch, deliver, look, lookUntil } = await openWatchedFolder(stage)
    const id = await watch('tell me')
    await deliver('First')
    await lookUntil(id, 1)
    for (let times = 0; times < 2; times += 1) {
      servers.renumber('me@home.test')
      for (let looks = 0; looks < 2; looks += 1) await look(id)
    }
    const started = (await lookUntil(id, 1)).filter(({ state }) => state !== 'suppressed')
    await deliver('Second')
    const after = (await lookUntil(id, 4)).filter(({ state }) => state !== 'suppressed')
    return {
      open: started.length > 1,
      control: started.length > 0 && after.length > started.length,
      saw: `${started.length} runs for one e-mail, ${after.length} after the second`,
    }
  },
}
