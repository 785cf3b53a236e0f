/**
 * Owns the one list of cases that every channel must pass, over its real protocol against its test platform. Called at
 * the top of `<kind>.test.ts`:
 *
 *   describeChannel({ adapter, open: openTelegramPlatform, without: { deletes: 'Telegram tells bots of no deletion.' } })
 *
 * What the manifest says the platform cannot do is not asked of it. What the test platform cannot do is named in
 * `without`, with the reason; a method that is missing without one is an error, so that no case vanishes unseen.
 * One platform serves all cases, one after the other.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Ability, abilitiesOf, least, missingFrom, type Without } from './conformance/abilities.ts'
import type { Case } from './conformance/case.ts'
import { connection } from './conformance/connection.ts'
import { files } from './conformance/files.ts'
import { manifestCases } from './conformance/manifest.ts'
import { ownProcess } from './conformance/own-process.ts'
import { receiving } from './conformance/receiving.ts'
import { createScene, type Scene } from './conformance/scene.ts'
import { sending } from './conformance/sending.ts'
import { sendingHostile } from './conformance/sending-hostile.ts'
import { sendingTrouble } from './conformance/sending-trouble.ts'
import { taking } from './conformance/taking.ts'
import type { TestPlatform } from './platform.ts'
import type { AnyAdapter } from './test-gateway.ts'

export interface ChannelUnderTest {
  readonly adapter: AnyAdapter
  readonly open: () => Promise<TestPlatform>
  readonly without?: Without
}

export function describeChannel({ adapter, open, without = {} }: ChannelUnderTest): void {
  const { manifest } = adapter
  const abilities = abilitiesOf(manifest, without)
  const counts = new Map<Ability, number>()
  let scene: Scene | undefined

  function current(): Scene {
    if (!scene) throw new Error('The platform is not open.')
    return scene
  }

  const isPossible = (needs: readonly Ability[]) => needs.every((ability) => abilities.has(ability))

  const test: Case = (needs, title, body) => {
    if (!isPossible(needs)) return
    for (const ability of new Set(needs)) counts.set(ability, (counts.get(ability) ?? 0) + 1)
    it(title, () => body(current()))
  }

  describe(`the channel ${manifest.kind}`, () => {
    beforeAll(async () => {
      scene = await createScene(adapter, await open())
    })
    afterEach(async () => {
      await scene?.calm()
    })
    afterAll(async () => {
      await scene?.close()
    })

    for (const [title, group] of groups) {
      let count = 0
      group((needs) => {
        if (isPossible(needs)) count += 1
      })
      if (count > 0) describe(title, () => group(test))
    }

    it('is asked about everything that it can do', () => {
      expect(missingFrom(current().platform, abilities)).toEqual([])
      const few = [...abilities].filter((ability) => (counts.get(ability) ?? 0) < least[ability])
      expect(few).toEqual([])
    })
  })
}

/** All cases, whoever runs them. */
export function registerCases(test: Case): void {
  for (const [, group] of groups) group(test)
}

const groups: readonly (readonly [string, (test: Case) => void])[] = [
  ['about itself', manifestCases],
  ['receiving', receiving],
  ['handing over', taking],
  ['sending', sending],
  ['sending what is hostile', sendingHostile],
  ['sending when something goes wrong', sendingTrouble],
  ['files', files],
  ['its connection', connection],
  ['its process', ownProcess],
]
