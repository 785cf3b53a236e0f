/** Owns what a job is: what an operator wants, what must be there before, how it is done, and how one knows that it is. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ApprovalView } from '@countersign/contract'
import type { GatewayProcess } from '@countersign/harness'
import type { ReplyCall } from '@countersign/model-servers'
import { type Errand, type Scene, tell } from '../scene.ts'
import { until } from '../until.ts'
import type { Hand, HandName, Person } from './hands.ts'

export interface Job {
  readonly title: string
  /** Makes what must be there, lets the hand do the job, and waits until the gateway says that it is done. */
  doneBy(person: Person, world: World): Promise<void>
}

export interface JobGroup {
  readonly name: string
  readonly jobs: readonly Job[]
}

/** The installation as one hand's jobs find it. */
export interface World {
  readonly scene: Scene
  readonly client: GatewayProcess['client']
  readonly hand: HandName
  /** Words that no other hand uses for its things. */
  mine(words: string): string
  readonly workspace: Folder
  /** Outside of the workspace, so that reading it asks. */
  readonly home: Folder
  /** A conversation in which the agent has answered this. */
  said(text: string): Promise<Errand>
  /** A run that has made these calls. */
  did(...calls: readonly ReplyCall[]): Promise<Errand>
  /** A run that waits for the operator. */
  asked(...calls: readonly ReplyCall[]): Promise<{ readonly errand: Errand; readonly approval: ApprovalView }>
}

export interface Folder {
  readonly path: (name: string) => string
  readonly put: (name: string, text: string) => string
  readonly has: (name: string) => boolean
  readonly text: (name: string) => string
}

interface Doing<Given> {
  readonly given: (world: World) => Promise<Given> | Given
  readonly steps: (hand: Hand, given: Given, world: World) => Promise<void>
  /** The effect, as the gateway or the disk knows it. */
  readonly isDone: (world: World, given: Given, hand: Hand) => Promise<boolean> | boolean
  /** Puts back what all hands share. */
  readonly after?: (world: World, given: Given) => Promise<unknown>
}

export function job<Given>(title: string, doing: Doing<Given>): Job {
  return {
    title,
    async doneBy({ hand, begin }, world) {
      const given = await doing.given(world)
      try {
        await begin()
        await doing.steps(hand, given, world)
        await until(() => doing.isDone(world, given, hand), { what: 'what the hand has done' })
      } finally {
        await doing.after?.(world, given)
      }
    },
  }
}

export function worldOf(scene: Scene, hand: HandName): World {
  const { gateway, installation } = scene
  return {
    scene,
    client: gateway.client,
    hand,
    mine: (words) => `${words} ${hand}`,
    workspace: folderAt(installation.paths.workspace),
    home: folderAt(installation.home),
    async said(text) {
      const errand = await tell(gateway, text)
      await errand.ended()
      return errand
    },
    async did(...calls) {
      const errand = await scene.tell(calls)
      await errand.ended()
      return errand
    },
    async asked(...calls) {
      const errand = await scene.tell(calls)
      const [approval] = await errand.waiting(calls.length)
      if (approval === undefined) throw new Error('Nothing waits.')
      return { errand, approval }
    },
  }
}

function folderAt(base: string): Folder {
  const path = (name: string) => join(base, name)
  return {
    path,
    put(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), text)
      return path(name)
    },
    has: (name) => existsSync(path(name)),
    text: (name) => readFileSync(path(name), 'utf8'),
  }
}
