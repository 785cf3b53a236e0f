/** Puts each string in every place of a card, shows it on every surface, and reads it back. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { domainToASCII, domainToUnicode } from 'node:url'
import { hasDeceptiveName, type Resource } from '../../../../../packages/contract/src/index.ts'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { chat } from './chat.ts'
import { type CardField, type CardMaker, places, viewWith } from './places.ts'
import { dangerIn, hasLongBlank, holdsEscape, unescaped } from './reading.ts'
import { familyNames, hosts, joinedTexts, plainTexts, type Spoof, spoofs } from './strings.ts'
import type { ShownCard, Surface } from './surface.ts'
import { terminal } from './terminal.ts'
import { openWeb } from './web.ts'

const token = 'qzqtokenqzq'
const ways: readonly CardMaker[] = ['kernel', 'raw']
/** A place on a surface that does not show it; everywhere else a text must be found. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  chat: ['raise', 'words of the agent', 'question', 'answer', 'sentence of an option', 'receipt'],
  // The rules that it offers are made in a dialog.
  web: ['sentence of an option'],
}
/** A page and a terminal show any length; what is of megabytes is put in a few places only. */
const longest = 100_000

export async function runTrials({ n, seed, log }: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const surfaces = [terminal, chat, await openWeb()]
  const tally = { shown: 0, warned: 0, reviewedElsewhere: 0 }
  const wrong = new Map<string, string>()
  let failures = 0
  const blame = (where: string, problem: string, text: string) => {
    failures += 1
    if (wrong.size < 20 && !wrong.has(`${where}: ${problem}`))
      wrong.set(`${where}: ${problem}`, JSON.stringify(text.slice(0, 80)))
  }
  const stages = surfaces.flatMap((surface) =>
    places.flatMap((place) => ways.map((way) => stageOf(surface, place, way))),
  )
  for (const { surface, place, found } of stages) {
    const isUnseen = unseen[surface.name]?.includes(place.name) ?? false
    if (found === isUnseen)
      blame(`${surface.name}, ${place.name}`, isUnseen ? 'is shown' : 'is not shown', '')
  }
  const usable = stages.filter(({ found }) => found)

  for (const [at, spoof] of spoofs(n, random).entries()) {
    if (at % 20 === 19) await nextTurn()
    for (const stage of usable) {
      if (stage.place.takes?.(spoof.text) === false) continue
      if (spoof.text.length > longest && random.below(usable.length) > 6) continue
      // Both ways lead to the same reading; each string takes one of them at each place.
      if (stage.way !== ways[random.below(2)]) continue
      tally.shown += 1
      const shown = stage.surface.show(viewWith(stage.place.put(spoof.text), stage.way))
      if (shown.warns) tally.warned += 1
      if (!shown.isWhole) tally.reviewedElsewhere += 1
      const where = `${stage.surface.name}, ${stage.place.name}, ${stage.way}, ${spoof.family}`
      for (const problem of problemsOf(stage, spoof, shown)) blame(where, problem, spoof.text)
    }
    if (at % 200 === 199) log(`${at + 1} strings, ${tally.shown} showings, ${failures} wrong`)
  }

  for (const text of plainTexts) {
    for (const stage of usable) {
      // Where an address is expected, words are not ordinary.
      if (stage.place.name === 'address' || stage.way !== ways[random.below(2)]) continue
      const shown = stage.surface.show(viewWith(stage.place.put(text), stage.way))
      const where = `${stage.surface.name}, ${stage.place.name}, plain text`
      if (shown.warns) blame(where, 'is warned of', text)
      if (!shown.isApprovable && stage.place.name !== 'receipt') blame(where, 'cannot be approved', text)
      if (!shown.units.some((unit) => unit.includes(text))) blame(where, 'is not shown as it is', text)
    }
  }
  for (const text of joinedTexts) {
    for (const stage of usable.filter(({ place }) => place.isOfCard)) {
      const shown = stage.surface.show(viewWith(stage.place.put(text), stage.way))
      if (!shown.warns)
        blame(`${stage.surface.name}, ${stage.place.name}, joined text`, 'nobody is warned', text)
    }
  }
  const hostTrials = tryHosts(Math.ceil(n / 4), random, surfaces, blame)
  return {
    n,
    failures,
    details: {
      families: familyNames.length,
      places: places.length,
      surfaces: surfaces.map(({ name }) => name),
      ...tally,
      plain: plainTexts.length,
      hosts: hostTrials,
      escapedThoughLegitimate: joinedTexts.length,
      examples: Object.fromEntries(wrong),
    },
  }
}

interface Stage {
  readonly surface: Surface
  readonly place: CardField
  readonly way: CardMaker
  /** The same card with a plain word in the place, against which every other is held. */
  readonly base: readonly string[]
  readonly found: boolean
}

function stageOf(surface: Surface, place: CardField, way: CardMaker): Stage {
  const { units } = surface.show(viewWith(place.put(token), way))
  const base = units.filter((unit) => !isDerived(unit, surface, place))
  return { surface, place, way, base, found: base.some((unit) => unit.includes(token)) }
}

/** What an effect reaches is said only where nothing else says it, so the line is read for the effect alone. */
function isDerived(unit: string, surface: Surface, place: CardField): boolean {
  return surface.isDerived(unit) && place.name !== 'object of an effect'
}

function problemsOf({ surface, place, base }: Stage, spoof: Spoof, shown: ShownCard): string[] {
  const problems: string[] = []
  for (const unit of [...shown.units, ...(shown.besides ?? [])]) {
    const danger = dangerIn(unit)
    if (danger) problems.push(danger)
  }
  if (!shown.isWhole) {
    if (shown.isApprovable) problems.push('can be approved unread')
    return problems
  }
  if (place.isOfCard && mustWarn(spoof, place, shown) && !shown.warns) problems.push('nobody is warned')
  const difference = differenceOf(
    base,
    shown.units.filter((unit) => !isDerived(unit, surface, place)),
    spoof.text,
    surface.marks,
    place.keepsLines,
  )
  if (difference) problems.push(difference)
  return problems
}

/** By the family, and wherever the card shows an escape. A note of several lines in a cell is nothing to warn of. */
function mustWarn(spoof: Spoof, place: CardField, shown: ShownCard): boolean {
  if (spoof.warns === 'always') return true
  const breaks = /[\n\t]/.test(spoof.text)
  if (spoof.warns === 'lines' && !place.keepsLines && place.name !== 'cell') return breaks
  return !breaks && shown.units.some(holdsEscape)
}

/** How the card differs from the one with a plain word by more than the text in its place, or null. */
function differenceOf(
  base: readonly string[],
  units: readonly string[],
  text: string,
  marks: Surface['marks'],
  keepsLines: boolean,
): string | null {
  const wanted = unescaped(text)
  const more = units.length - base.length
  if (more < 0) return 'lines are missing'
  if (more > 0 && (!keepsLines || marks === null)) return `${more} lines are forged`
  let at = 0
  for (const expected of base) {
    if (!expected.includes(token)) {
      if (squeezed(units[at] ?? '') !== squeezed(expected)) return `"${expected.trim()}" is changed`
      at += 1
      continue
    }
    const own = units.slice(at, at + 1 + more)
    at += own.length
    const problem =
      more === 0 || marks === null
        ? inLine(expected, own[0] ?? '', wanted)
        : inBlock(expected, own, wanted, marks)
    if (problem) return problem
  }
  return null
}

function inLine(expected: string, unit: string, wanted: string): string | null {
  const from = expected.indexOf(token)
  const before = expected.slice(0, from)
  const after = expected.slice(from + token.length)
  if (!unit.startsWith(before)) return 'it does not stand in its place'
  const read = unescaped(unit.slice(before.length))
  if (!read.startsWith(wanted) && read.trimEnd() !== wanted.trimEnd())
    return 'the text cannot be told from it'
  if (read.slice(wanted.length).trim() !== after.trim()) return 'what follows it is changed'
  const shown =
    after.trim() === '' ? unit.slice(before.length) : unit.slice(before.length, -after.trim().length)
  return hasLongBlank(shown.trimEnd()) ? 'a long run of blanks is shown as it is' : null
}

/** Below its label or without one; every line of it bears the mark. */
function inBlock(
  expected: string,
  own: readonly string[],
  wanted: string,
  marks: NonNullable<Surface['marks']>,
): string | null {
  const before = expected.slice(0, expected.indexOf(token))
  const isLabelled = /[^│\s]/.test(before)
  const mark = isLabelled ? marks.below : marks.plain
  const rows = isLabelled ? own.slice(1) : own
  if (isLabelled && !(own[0] ?? '').trimEnd().startsWith(before.trimEnd()))
    return 'it does not stand in its place'
  if (rows.some((row) => !mark.test(row))) return 'a line of it is not marked'
  const read = unescaped(rows.map((row) => row.replace(mark, '')).join('\n'))
  return read.trimEnd() === wanted.trimEnd() ? null : 'the text cannot be told from it'
}

const squeezed = (unit: string) => unit.replaceAll(/ +/g, ' ')

function addressOf(host: string): Resource {
  const rest = { scheme: 'https', port: 443, method: 'GET', addressClass: 'name' } as const
  return { type: 'url', host, ...rest, redirects: 'refused', carries: 'address' }
}

/** A host with two forms is shown in both; one whose letters imitate others is warned of and raised, and no other. */
function tryHosts(
  n: number,
  random: Random,
  surfaces: readonly Surface[],
  blame: (where: string, problem: string, text: string) => void,
): number {
  const trials = hosts(n, random)
  for (const { host, warns } of trials) {
    const punycode = domainToASCII(host)
    const unicode = domainToUnicode(punycode)
    const preview = {
      kind: 'http' as const,
      method: 'GET',
      url: `https://${punycode}/x`,
      headers: [],
      body: '',
    }
    if (hasDeceptiveName([addressOf(punycode)]) !== warns)
      blame('tier, host', warns ? 'is not raised' : 'is raised', host)
    for (const surface of surfaces) {
      const shown = surface.show(viewWith({ preview }, random.pick(ways)))
      const where = `${surface.name}, host`
      for (const form of [punycode, unicode])
        if (![...shown.units, ...(shown.besides ?? [])].some((unit) => unescaped(unit).includes(form)))
          blame(where, 'a form is not shown', host)
      if (shown.warns !== warns) blame(where, warns ? 'nobody is warned' : 'is warned of', host)
    }
  }
  return trials.length
}
