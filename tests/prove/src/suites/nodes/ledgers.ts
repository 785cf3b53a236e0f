/** What a node says of ledgers that it is shown: those that grow are kept, and no fork or rollback goes unnoticed. */

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { ledgerOrigin } from '@countersign/contract'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import { signCheckpoint } from '../../../../../packages/kernel/src/ledger/checkpoint.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { type OwnNode, openOwnNode } from './own-node.ts'

/** RFC 6962, written anew here: what is under test must not be its own measure. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (!only) return createHash('sha256').digest()
  if (leaves.length === 1) return only
  const middle = halfOf(leaves.length)
  return nodeOf(rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)))
}

function growthOf(leaves: readonly Buffer[], from: number, isWhole = true): Buffer[] {
  if (from === leaves.length) return isWhole ? [] : [rootOf(leaves)]
  const middle = halfOf(leaves.length)
  return from <= middle
    ? [...growthOf(leaves.slice(0, middle), from, isWhole), rootOf(leaves.slice(middle))]
    : [...growthOf(leaves.slice(middle), from - middle, false), rootOf(leaves.slice(0, middle))]
}

function halfOf(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

function nodeOf(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}

const leaf = (text: string) => createHash('sha256').update(Buffer.of(0)).update(text).digest()

type Show = (honest: readonly Buffer[], seen: number, random: Random) => readonly Buffer[]

/** Ledgers that are not the one that was seen. */
const dishonest: Readonly<Record<string, Show>> = {
  'rolled back': (leaves, seen, random) => leaves.slice(0, 1 + random.below(seen - 1)),
  'rolled back and grown again': (leaves, seen) => [
    ...leaves.slice(0, seen - 1),
    ...leaves.slice(seen - 1).map((_, at) => leaf(`other ${at}`)),
    leaf('more'),
  ],
  'of the same size': (leaves, seen, random) => changedAt(leaves.slice(0, seen), random.below(seen)),
  'changed somewhere before': (leaves, seen, random) => changedAt(leaves, random.below(seen)),
}

function changedAt(leaves: readonly Buffer[], at: number): readonly Buffer[] {
  return leaves.map((each, index) => (index === at ? leaf('changed') : each))
}

export async function tryLedgers({ n, seed }: Pick<SuiteOptions, 'n' | 'seed'>): Promise<SuiteResult> {
  const random = createRandom(seed)
  const node = await openOwnNode()
  const answers = answersOf(node)
  const problems: string[] = []
  try {
    const names = Object.keys(dishonest)
    for (let trial = 0; trial < n; trial += 1) {
      const name = names[trial % names.length] ?? ''
      const seen = 2 + random.below(40)
      const leaves = Array.from({ length: seen + 1 + random.below(40) }, (_, at) => leaf(`${trial} ${at}`))
      forget(node)
      if ((await shown(node, answers, leaves.slice(0, seen), 0)) !== 'witnessed')
        problems.push('the first ledger was refused')
      if ((await shown(node, answers, leaves, seen)) !== 'witnessed')
        problems.push(`growth from ${seen} was refused`)
      forget(node)
      await shown(node, answers, leaves.slice(0, seen), 0)
      const other = dishonest[name]?.(leaves, seen, random) ?? []
      if ((await shown(node, answers, other, seen)) !== 'complaint') problems.push(`unnoticed: ${name}`)
      // It stays: an honest ledger later does not make it forget.
      if ((await shown(node, answers, leaves, seen)) !== 'complaint') problems.push(`forgotten: ${name}`)
      if (problems.length > 0) break
    }
    return { n, failures: problems.length, details: { ledgers: names, problems: problems.slice(0, 10) } }
  } finally {
    await node.close()
  }
}

function forget({ place }: OwnNode): void {
  for (const file of [place.paths.witness, place.paths.complaint]) rmSync(file, { force: true })
}

interface Answers {
  next(): Promise<'witnessed' | 'complaint'>
}

/** One of the two comes for each that is shown; who waits for the other goes on waiting. */
function answersOf({ link }: OwnNode): Answers {
  const wait = <Type extends 'witnessed' | 'complaint'>(type: Type) =>
    link.next(type).then(
      () => type,
      // Nobody waits any more when the connection ends.
      () => new Promise<never>(() => undefined),
    )
  const waiting = { witnessed: wait('witnessed'), complaint: wait('complaint') }
  return {
    async next() {
      const came = await Promise.race([waiting.witnessed, waiting.complaint])
      if (came === 'witnessed') waiting.witnessed = wait('witnessed')
      else waiting.complaint = wait('complaint')
      return came
    },
  }
}

async function shown(
  { gateway, link }: OwnNode,
  answers: Answers,
  leaves: readonly Buffer[],
  from: number,
): Promise<'witnessed' | 'complaint'> {
  const { trust } = gateway.identity
  const origin = ledgerOrigin(trust.gateway.id, trust.operator)
  const { privateKey } = gateway.gatewayKey
  const note = signCheckpoint({ origin, size: leaves.length, root: rootOf(leaves), privateKey })
  const proof = from > 0 && from < leaves.length ? growthOf(leaves, from) : []
  link.send({ type: 'checkpoint', note, from, proof: proof.map((hash) => hash.toString('base64')) })
  return answers.next()
}
