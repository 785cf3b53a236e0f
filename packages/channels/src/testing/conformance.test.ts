import { describe, expect, it } from 'vitest'
import { registerCases } from './conformance/cases.ts'
import { createScene, type Scene } from './conformance/scene.ts'
import { describeChannel } from './conformance.ts'
import { type Flaw, memoryChannel, memoryWithout } from './memory-channel.ts'

describeChannel({ ...memoryChannel(), without: memoryWithout })

const caught: readonly (readonly [Flaw, string])[] = [
  ['acknowledges-before-taken', 'hands over after a restart what the gateway never took'],
  ['sends-twice', 'shows a message once, and only where it was sent'],
  ['new-ids-when-repeated', 'gives what it is told again the same id'],
  ['hears-itself', 'does not hear itself'],
  ['says-sent-when-lost', 'never says sent of what was lost on the way'],
  [
    'says-later-when-only-the-answer-was-lost',
    'never says that it was not sent when only the answer was lost',
  ],
  ['sends-control-characters', 'shows control characters as words in plain'],
  ['hides-targets', 'shows links with hidden targets as words in markdown'],
  ['always-addressed', 'is not addressed by what people say to each other'],
  ['stops-at-refusal', 'hears another chat while a message of this one is refused'],
  ['skips-while-away', 'hands over what came while the gateway was away'],
  ['proves-nobody', 'shows that the sender is who they are'],
]

describe('the cases for channels', () => {
  const all: { title: string; body: (scene: Scene) => Promise<void> }[] = []
  registerCases((_needs, title, body) => all.push({ title, body }))

  it('are many, and no two have one title', () => {
    expect(all.length).toBeGreaterThanOrEqual(150)
    const titles = all.map(({ title }) => title)
    expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([])
  })

  it.each(caught)('see a channel that %s', async (flaw, title) => {
    const one = all.find((each) => each.title === title)
    if (!one) throw new Error(`There is no case called “${title}”.`)
    const { adapter, open } = memoryChannel(flaw)
    const scene = await createScene(adapter, await open(), 400)
    await expect(one.body(scene)).rejects.toThrow()
    await scene.close()
  })
})
