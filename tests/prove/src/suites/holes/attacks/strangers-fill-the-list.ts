/** Strangers write under many names, hour after hour, so that nobody else is shown a code. */
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

const flood = 60
const quarter = 15 * 60_000

export const attack: Attack = {
  name: 'strangers-fill-the-list',
  promise:
    'A flood of strangers keeps nobody from asking, and takes no code from whoever was just shown one.',
  mutant: 'first-askers-stay',
  async run(stage) {
    const { bench, channel } = await openChats(stage)
    const wave = async (name: string) => {
      for (let at = 0; at < flood; at += 1)
        await bench.intake.take(channel, bench.event(`${name}${at}`, 'Hello?'))
      await bench.intake.work(bench.channel(channel))
    }
    await wave('first')
    const before = await bench.peer(channel, 'first0')
    bench.pass(quarter)
    await bench.say(channel, 'honest', 'Hello?')
    const code = (await bench.peer(channel, 'honest'))?.code
    await wave('second')
    const isLetIn =
      typeof code === 'string' &&
      (await bench.admit(code).then(
        () => true,
        () => false,
      ))
    return {
      open: !isLetIn,
      control: before?.state === 'asking',
      saw: `shown a code: ${String(code !== undefined)}, let in: ${String(isLetIn)}`,
    }
  },
}
