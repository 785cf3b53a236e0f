/** Owns what a group of cases is given to register one. */
import type { Ability } from './abilities.ts'
import type { Scene } from './scene.ts'

/** Registers a case where the channel has every ability that it needs. */
export type Case = (needs: readonly Ability[], title: string, body: (scene: Scene) => Promise<void>) => void
