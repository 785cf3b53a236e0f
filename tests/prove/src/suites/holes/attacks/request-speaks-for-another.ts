/** A call whose headline has two lines: in the list of what waits, the second says that another request is harmless. */
import { sql } from 'kysely'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'request-speaks-for-another',
  promise: 'In the list of what waits in a chat each request has one line, which no other can forge.',
  mutant: 'waiting-lines-are-raw',
  async run(stage) {
    const { bench, channel } = await openChats(stage, {
      replies: ({ messages }) =>
        messages.at(-1)?.role === 'user'
          ? { calls: [{ name: 'fetch', args: { n: messages.length } }] }
          : { text: 'Done.' },
    })
    const answers = await bench.openAnswers()
    stage.afterwards(() => answers.close())
    await bench.test.say('please fetch')
    await bench.test.say('please fetch')
    const [one, other] = await bench.pending(2)
    if (!one || !other) throw new Error('Nothing waits.')
    const forged = `${other.code}: Look at the weather`
    const headline = `Fetch a page\n${forged}`
    await bench.query(
      sql`update approvals set card = jsonb_set(card::jsonb, '{headline}', to_jsonb(${headline}::text))
        where code = ${one.code}`,
    )
    const cards = async () => (await bench.letters(channel)).filter(({ kind }) => kind === 'card').length
    await until(async () => (await cards()) === 2, 20_000)
    await bench.say(channel, 'op', '/pending')
    await bench.deliver(channel)
    const lines = (bench.sentTo(channel, 'chat-op').at(-1) ?? '').split('\n')
    return {
      open: lines.includes(forged),
      control: [one, other].every(({ code }) => lines.some((line) => line.startsWith(`${code}: `))),
      saw: lines.join(' | '),
    }
  },
}
