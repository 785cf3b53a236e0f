/** Somebody whom the operator let in writes in a chat, and the model that answers them asks for a file of the operator's laptop. */
import { openTelegramPlatform } from '@countersign/channels/testing'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { connectComputer, letInNode } from '../other-computer.ts'
import type { Scene, Stage } from '../stage.ts'

export const attack: Attack = {
  name: 'friend-reaches-another-computer',
  promise: 'Whoever answers somebody else than the operator never asks anything of another computer.',
  mutant: 'guests-reach-other-computers',
  async run(stage) {
    const scene = await stage.ownScene()
    const laptop = await letInNode(scene, 'laptop')
    const computer = await connectComputer(stage, scene, laptop)
    const asked = () => computer.heard.filter(({ type }) => type === 'resolve').length
    const read = { name: 'device_read_file', args: { node: 'laptop', path: 'notes.txt' } }
    scene.plan('friend-asks', [[read]])
    scene.plan('operator-asks', [[read]])
    const says = await openFriend(stage, scene)
    await says('friend-asks for the notes')
    const isOver = async () => {
      const runs = await scene.gateway.client.runs()
      return runs.length > 0 && runs.every(({ state }) => state !== 'running')
    }
    const isHeard = await until(async () => scene.shown('friend-asks') !== '' && (await isOver()), 30_000)
    const reached = asked()
    await scene.run('operator-asks')
    return {
      open: reached > 0,
      control: isHeard && asked() > reached,
      saw: `looks at the laptop for the friend: ${reached}, for the operator: ${asked() - reached}`,
    }
  },
}

/** A chat of a real adapter, in which a friend was let in. */
async function openFriend(
  stage: Stage,
  { gateway: { client } }: Scene,
): Promise<(text: string) => Promise<string>> {
  const platform = await openTelegramPlatform()
  stage.afterwards(() => platform.close())
  const { settings, secrets, people, chats } = platform
  await client.storeChannel('chat', { kind: 'telegram', settings, secrets, choices: {} })
  const says = (text: string) => platform.says(people.ben, chats.ben, text)
  const codeOf = () =>
    platform
      .shown(chats.ben)
      .map(({ text }) => /[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/.exec(text)?.[0])
      .find((code) => code !== undefined)
  await until(async () => (await client.channels()).some(({ state }) => state === 'connected'), 30_000)
  await says('hello')
  if (!(await until(() => codeOf() !== undefined, 30_000))) throw new Error('The friend was shown no code.')
  await client.admitPeer({ code: codeOf() ?? '', role: 'trusted', limits: {} })
  return says
}
