/** Every place in every state, light and dark, wide and narrow: nothing serious or critical by axe, and no word cut. */

import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSmall, sampled, sized } from '../../size.ts'
import { screens } from './screens.ts'
import {
  type Look,
  looks,
  openedPlaces,
  openStage,
  type Place,
  places,
  type Sight,
  type Stage,
  type State,
  states,
} from './states.ts'
import { visibleFlaws } from './visible-flaws.ts'

interface Finding {
  readonly where: string
  readonly rule: string
  readonly targets: readonly string[]
}

/** A small run looks at each screen once, now so and then so. */
let turn = 0

function looksNow(): readonly Look[] {
  turn += 1
  return isSmall ? looks.slice(turn % 2, (turn % 2) + 1) : looks
}

let stage: Stage
const counts = new Map<string, Map<State, { looked: number; found: number }>>()
const findings: Finding[] = []

beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  console.log(table())
  await stage.close()
})

test.skipIf(isSmall)('with nothing in it', { timeout: 1_800_000 }, () => everywhere('empty'))

test.skipIf(isSmall)('with one of each', { timeout: 1_800_000 }, () => everywhere('one'))

test('with a week in it', { timeout: 1_800_000 }, async () => {
  await everywhere('many')
  const opened = await openedPlaces(stage.scene, sized(10, 2))
  await look(isSmall ? opened.filter(({ view }) => /^(open|timeline)/.test(view)) : opened)
})

test.skipIf(isSmall)('while it loads', { timeout: 1_800_000 }, () => everywhere('loading'))

test.skipIf(isSmall)('when the gateway fails', { timeout: 1_800_000 }, () => everywhere('error'))

test.skipIf(isSmall)('with ten thousand of everything', { timeout: 3_600_000 }, () => everywhere('10,000'))

test.skipIf(isSmall)('without a connection', { timeout: 1_800_000 }, () => everywhere('offline'))

test.skipIf(isSmall)('when the connection is lost', { timeout: 1_800_000 }, () => everywhere('cut'))

async function everywhere(state: State): Promise<void> {
  await stage.turnTo(state)
  const first = (place: Place) => screens.some(({ path }) => path === place.path)
  await look(sampled(sized(places, places.filter(first)), 2))
}

async function look(at: readonly Place[]): Promise<void> {
  const before = findings.length
  await stage.walk(at, looksNow, judge)
  expect(findings.slice(before)).toEqual([])
}

async function judge({ page, place, state, theme, size, isRepeat }: Sight): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  // Of what was looked at already only the colours are others.
  const { violations } = await (isRepeat ? axe.withRules(['color-contrast']) : axe).analyze()
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const where = `${place.path} ${state} ${theme} ${String(size.width)}`
  for (const { id, nodes } of bad)
    findings.push({ where, rule: id, targets: nodes.slice(0, 4).map(({ html }) => html.slice(0, 200)) })
  // A home without a service manager has to be told how to start the gateway.
  const flaws = place.screen === 'setup' ? [] : await visibleFlaws(page, state)
  for (const { rule, target } of flaws) findings.push({ where, rule, targets: [target] })
  count(place.screen, state, bad.length + flaws.length)
}

function count(name: string, state: State, found: number): void {
  const row = counts.get(name) ?? new Map<State, { looked: number; found: number }>()
  const cell = row.get(state) ?? { looked: 0, found: 0 }
  counts.set(name, row.set(state, { looked: cell.looked + 1, found: cell.found + found }))
}

/** Serious and critical findings of so many looks. */
function table(): string {
  const rows = [...counts].map(([name, row]) =>
    [name, ...states.map((state) => words(row.get(state)))].map((cell) => cell.padEnd(12)).join(''),
  )
  return [['', ...states].map((cell) => cell.padEnd(12)).join(''), ...rows].join('\n')
}

function words(cell: { looked: number; found: number } | undefined): string {
  return cell === undefined ? '–' : `${String(cell.found)} of ${String(cell.looked)}`
}
