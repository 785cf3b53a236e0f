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
import { adapters } from '../adapters.ts'
import { type Ability, abilitiesOf, least, missingFrom, type Without } from './conformance/abilities.ts'
import type { Case } from './conformance/case.ts'
import { groups } from './conformance/cases.ts'
import { createScene, type Scene } from './conformance/scene.ts'
import type { TestPlatform } from './platform.ts'
import type { AnyAdapter } from './test-gateway.ts'

export interface ChannelUnderTest {
  readonly adapter: AnyAdapter
  readonly open: () => Promise<TestPlatform>
  readonly without?: Without
}

export function describeChannel({ adapter, open, without = {} }: ChannelUnderTest): void {
  const { manifest } = adapter
  const abilities = abilitiesOf(manifest, without, manifest.kind in adapters)
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
